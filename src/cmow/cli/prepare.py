"""`cmow prepare`: text becomes ids on disk, ready for training."""

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from cmow.cli.app import app
from cmow.cli.flags import flags_of, with_flags
from cmow.corpus import PrepareSettings

INPUTS = "Files, folders, globs; - is stdin. Plain or packed by gz, xz or zst."
FOLDER = "The prepared corpus, for 'cmow train FOLDER model/'."


@app.command()
@with_flags(flags_of(PrepareSettings))
def prepare(
    inputs: Annotated[list[Path], typer.Argument(metavar="FILES", help=INPUTS, show_default=False)],
    folder: Annotated[Path, typer.Argument(help=FOLDER, show_default=False)],
    *,
    threads: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Number of threads; all cores if not given.", show_default=False
        ),
    ] = None,
    **flags: Any,
) -> None:
    """Turn text, one sentence per line, into ids on disk.

    `cmow prepare corpus.txt prepared/`

    A corpus that was prepared before with the same text and settings is used as it is. Sentences
    with fewer than two known words are left out.
    """
    from cmow.cli.preparation import shown_progress
    from cmow.corpus import prepare as prepare_corpus

    settings = PrepareSettings(**flags)
    with shown_progress() as progress:
        corpus = prepare_corpus(inputs, folder, settings, threads=threads, progress=progress)
    sys.stdout.write(f"{folder}: {corpus.summary()}\n")
