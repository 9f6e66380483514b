"""`cmow probing`: probing sets from a corpus or from the generated language."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cmow.cli.app import App, app
from cmow.cli.flags import flags_of, with_flags
from cmow.paper.probing import CORPUS_SETTINGS, GRAMMAR_SETTINGS, PIPELINE, SENTENCES

if TYPE_CHECKING:
    from cmow.paper.probing import BuiltSet

CORPUS = "One sentence per line, tokens separated by blanks; plain, gz, xz or zst; - is stdin."
FOLDER = "A new folder, for 'probing' in a SentEval folder."
PROCESSES = "Number of processes; one per core if not given."
SIZES = ("train", "valid", "test", "seed")

probing = App(
    help="Build the ten probing tasks: what does an embedding know of its sentence?\n\n"
    "`cmow probing grammar data/probing`",
    no_args_is_help=True,
)
app.add_typer(probing, name="probing")

Folder = Annotated[Path, typer.Argument(help=FOLDER, show_default=False)]


@probing.command()
@with_flags(flags_of(CORPUS_SETTINGS, only=SIZES))
def build(
    corpus: Annotated[Path, typer.Argument(help=CORPUS, show_default=False)],
    folder: Folder,
    *,
    sentences: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", min=1, help="Use at most so many sentences of 5 to 28 words."
        ),
    ] = SENTENCES,
    pipeline: Annotated[
        str, typer.Option(metavar="NAME", help="An installed spaCy pipeline for English.")
    ] = PIPELINE,
    processes: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=1, help=PROCESSES, show_default=False)
    ] = None,
    **flags: Any,
) -> None:
    """Rebuild the ten tasks from any corpus.

    `cmow probing build corpus.txt data/probing`

    Needs the extra 'probing'. Scores on rebuilt sets are not comparable with published ones: the
    file rebuilt.json beside them says how they were made.
    """
    from cmow.cli.stages import shown_stages
    from cmow.paper.probing import build_from_corpus
    from cmow.threads import usable_cores

    settings = replace(CORPUS_SETTINGS, **flags)
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
@with_flags(flags_of(GRAMMAR_SETTINGS, only=SIZES))
def grammar(folder: Folder, **flags: Any) -> None:
    """Make the ten tasks of the generated language by its gold trees.

    `cmow probing grammar data/probing --seed 1`

    Take another seed than that of the sentences you trained on.
    """
    from cmow.cli.stages import shown_stages
    from cmow.paper.probing import build_from_grammar

    settings = replace(GRAMMAR_SETTINGS, **flags)
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
