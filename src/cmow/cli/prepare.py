"""`cmow prepare`: text becomes ids on disk, ready for training."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cmow.cli.app import app

INPUTS = "Files, folders, globs; - is stdin. Plain or packed by gz, xz or zst."
FOLDER = "The prepared corpus, for 'cmow train FOLDER model/'."
TOKENIZER = "words (raw text), whitespace (tokenized text) or the path of a tokenizer.json."
INVALID = "What to do with lines that are not UTF-8: fail, replace or skip."


@app.command()
def prepare(
    inputs: Annotated[list[Path], typer.Argument(help=INPUTS, show_default=False)],
    folder: Annotated[Path, typer.Argument(help=FOLDER, show_default=False)],
    tokenizer: Annotated[str, typer.Option(help=TOKENIZER)] = "words",
    lowercase: Annotated[bool, typer.Option(help="Put text into lower case.")] = True,
    vocabulary_size: Annotated[int, typer.Option(help="Most frequent words to keep.")] = 30_000,
    minimum_count: Annotated[int, typer.Option(help="Occurrences a word needs.")] = 1,
    word_list: Annotated[
        str | None, typer.Option(help="A vocabulary of your own: a file, a word a line.")
    ] = None,
    split: Annotated[
        bool, typer.Option("--split", help="Split running text into sentences.")
    ] = False,
    language: Annotated[str, typer.Option(help="ISO code of the language, for --split.")] = "en",
    invalid: Annotated[str, typer.Option(help=INVALID)] = "fail",
    threads: Annotated[
        int | None, typer.Option(help="All cores if not given.", show_default=False)
    ] = None,
) -> None:
    """Turn text, one sentence a line, into ids on disk: `cmow prepare corpus.txt prepared/`.

    A corpus that was prepared before with the same text and settings is used as it is. Sentences
    with fewer than two known words are left out.
    """
    from cmow.cli.preparation import shown_progress
    from cmow.corpus import PrepareSettings
    from cmow.corpus import prepare as prepare_corpus

    settings = PrepareSettings(
        tokenizer=tokenizer,
        lowercase=lowercase,
        vocabulary_size=vocabulary_size,
        minimum_count=minimum_count,
        word_list=word_list,
        split=split,
        language=language,
        invalid=invalid,  # type: ignore[arg-type]  # checked by the settings
    )
    with shown_progress() as progress:
        corpus = prepare_corpus(inputs, folder, settings, threads=threads, progress=progress)
    sys.stdout.write(f"{folder}: {corpus.summary()}\n")
