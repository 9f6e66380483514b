"""`cmow reproduce`: the paper's tables and figures."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from cmow.choices import EvaluationClassifier
from cmow.cli.app import app
from cmow.cli.choices import chosen_from

EXPERIMENTS = "Files that declare experiments, such as those in examples/paper."
CORPUS = "Text (plain or packed), or a prepared corpus."
DATA = (
    "Folder in SentEval's layout, for scores; give several, and each file is taken from the first."
)
OUTPUT = "Folder for scores, settings, histories, pictures and the page of results."
MODELS = "Folder for the models, which are large; OUTPUT/models if not given."
SEEDS = "So many seeds of each row at most; as many as the files say if not given."
CLASSIFIER = "With senteval, score by SentEval's own classifier too, as published scores are."
CONFIG = "TOML file of settings that override those of the experiments, such as max_updates."


@app.command()
def reproduce(
    experiments: Annotated[
        list[Path], typer.Argument(metavar="FILES", help=EXPERIMENTS, show_default=False)
    ],
    corpus: Annotated[Path, typer.Option(metavar="PATH", help=CORPUS, show_default=False)],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FOLDER", help=OUTPUT)],
    data: Annotated[
        list[Path] | None, typer.Option(metavar="FOLDER", help=DATA, show_default=False)
    ] = None,
    models: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help=MODELS, show_default=False)
    ] = None,
    config: Annotated[
        Path | None, typer.Option(metavar="FILE", help=CONFIG, show_default=False)
    ] = None,
    classifier: Annotated[
        EvaluationClassifier, chosen_from(EvaluationClassifier, help=CLASSIFIER)
    ] = "solved",
    seeds: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=1, help=SEEDS, show_default=False)
    ] = None,
) -> None:
    """Run the paper's experiments.

    `cmow reproduce examples/paper/*.toml --corpus corpus.txt --output out/`

    After an interruption the same command continues, and keeps what was done before.
    """
    from cmow.cli.preparation import shown_progress
    from cmow.cli.stages import shown_stages
    from cmow.paper.reproduction import MODELS as FOLDER
    from cmow.paper.reproduction import Experiment, check_experiments, check_folders
    from cmow.paper.reproduction import reproduce as run
    from cmow.training import open_corpus, read_settings

    declared = [Experiment.read(path) for path in experiments]
    prevailing = {} if config is None else read_settings(config)
    folders = data or []
    folder = models or output / FOLDER
    check_experiments(declared, prevailing, folders)  # before the corpus is prepared
    check_folders(output, folder)
    settings = declared[0].config(next(iter(declared[0].settings)), 0, prevailing)
    with _told_how_to_go_on():
        with shown_progress() as preparing:
            opened = open_corpus(corpus, settings, folder, progress=preparing)
        with shown_stages("items") as progress:
            page = run(
                declared,
                corpus=opened,
                data=folders,
                output=output,
                models=folder,
                prevailing=prevailing,
                seeds=seeds,
                like_with_like=classifier == "senteval",
                progress=progress,
            )
    sys.stdout.write(f"{page}: written\n")


@contextmanager
def _told_how_to_go_on() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        sys.stderr.write(f"interrupted; continue with: cmow {shlex.join(sys.argv[1:])}\n")
        raise
