"""`cmow evaluate`: models on the tasks of the paper."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cmow.choices import EvaluationClassifier, Normalization
from cmow.cli.app import app
from cmow.cli.choices import chosen_from
from cmow.cli.encoders import ENCODERS, is_ours, open_other, row_of
from cmow.cli.models import open_model
from cmow.errors import ConfigError

if TYPE_CHECKING:
    from cmow.evaluation import Report, Task

WHOLE = "whole"
EVERYTHING = "probing,supervised,unsupervised,words,movement,order"
DATA = "Folder in SentEval's layout; of several, the first that has a file provides it."
TASKS = "Groups and names of tasks, separated by commas; all of them if not given."
PART = f"Evaluate this part, such as cmow; may be repeated, and '{WHOLE}' is the whole model."
CLASSIFIER = (
    "Classifiers are solved to the optimum, or trained and stopped early as SentEval's are."
)
COMPARE = "The model that is set against each of the others; the last if not given."
OUTPUT = "Also write the report here: .json, .md, .csv, .png, .svg or .pdf; may be repeated."
SENTENCES = "Sentences for the movement tasks, one per line; built-in ones if not given."


@app.command()
def evaluate(
    models: Annotated[
        list[str], typer.Argument(metavar="MODEL", help=ENCODERS, show_default=False)
    ],
    data: Annotated[
        list[Path] | None, typer.Option(metavar="FOLDER", help=DATA, rich_help_panel="Tasks")
    ] = None,
    tasks: Annotated[
        str,
        typer.Option(metavar="NAMES", help=TASKS, show_default=False, rich_help_panel="Tasks"),
    ] = EVERYTHING,
    sentences: Annotated[
        Path | None, typer.Option(metavar="FILE", help=SENTENCES, rich_help_panel="Tasks")
    ] = None,
    seed: Annotated[
        int,
        typer.Option(metavar="NUMBER", min=0, help="Seed of the folds.", rich_help_panel="Tasks"),
    ] = 1111,
    part: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help=PART, rich_help_panel="Models")
    ] = None,
    normalize: Annotated[
        Normalization | None,
        chosen_from(
            Normalization,
            help="Divide embeddings, or their parts, by their norm.",
            rich_help_panel="Models",
        ),
    ] = None,
    classifier: Annotated[
        EvaluationClassifier,
        chosen_from(EvaluationClassifier, help=CLASSIFIER, rich_help_panel="Tasks"),
    ] = "solved",
    compare: Annotated[
        str | None, typer.Option(metavar="NAME", help=COMPARE, rich_help_panel="Report")
    ] = None,
    with_paper: Annotated[
        bool,
        typer.Option(
            "--with-paper", help="Show the paper's figures as well.", rich_help_panel="Report"
        ),
    ] = False,
    output: Annotated[
        list[Path] | None,
        typer.Option("--output", "-o", metavar="FILE", help=OUTPUT, rich_help_panel="Report"),
    ] = None,
) -> None:
    """Score models on the tasks of the paper, side by side.

    `cmow evaluate model/ --tasks order`

    `cmow evaluate model/ --data senteval/ -o report.md`

    `cmow evaluate model/ st:all-MiniLM-L6-v2 py:mine:encoder --data senteval/`

    Tasks are grouped: probing, supervised, unsupervised, words, movement, order. The last two need
    no files. A task whose files are missing is listed as such, and the others run.
    """
    from cmow.cli.evaluation_output import write_report
    from cmow.cli.stages import shown_stages
    from cmow.evaluation import check_output
    from cmow.evaluation import evaluate as score

    for file in output or []:
        check_output(file)
    encoders = _encoders(models, part or [WHOLE], normalize)
    with shown_stages("share") as progress:
        report = score(
            encoders,
            data=data or [],
            tasks=_tasks(tasks, sentences),
            classifier=classifier,
            seed=seed,
            compare=compare,
            progress=progress,
        )
    _require_results(report, data or [])
    write_report(report, with_paper=with_paper)
    for file in output or []:
        report.save(file, with_paper=with_paper)
        sys.stderr.write(f"{file}: written\n")


def _encoders(
    models: list[str], parts: list[str], normalize: Normalization | None
) -> dict[str, Any]:
    """The models and parts by the name of their row; those of others have no parts."""
    from cmow.evaluation import Normalized

    encoders: dict[str, Any] = {}
    for model in models:
        for part in parts if is_ours(model) else [WHOLE]:
            name = row_of(model) if part == WHOLE else f"{row_of(model)}/{part}"
            if name in encoders:
                raise ConfigError(f"two models are called {name!r}: rename one's folder")
            if is_ours(model):
                encoder = open_model(Path(model), None if part == WHOLE else part)
            else:
                encoder = open_other(model)
            encoders[name] = encoder if normalize is None else Normalized(encoder, normalize)
    return encoders


def _tasks(names: str, sentences: Path | None) -> "list[str | Task[Any]]":
    """The tasks named; those of movement with the sentences given."""
    from cmow.evaluation import Order, select_tasks

    if sentences is not None and not sentences.is_file():
        raise ConfigError(f"{sentences} is not a file")
    chosen = select_tasks(name.strip() for name in names.split(","))
    return [t.with_sentences(sentences) if isinstance(t, Order) else t for t in chosen]


def _require_results(report: "Report", data: list[Path]) -> None:
    """Refuse a report without results."""
    if report.empty:
        task, file = next(iter(report.missing.items()), ("words", "models with word vectors"))
        where = f"in {', '.join(map(str, data))}" if data else "without --data"
        raise ConfigError(f"nothing to run {where}: {task}, for one, expects {file}")
