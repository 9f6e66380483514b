"""`cmow init`: an untrained model, for trying things out."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cmow.choices import INITIALIZATION, PRESETS, SPLITTER, Initialization, Splitter
from cmow.cli.app import app
from cmow.cli.choices import chosen_from
from cmow.cli.models import megabytes, refuse_existing, size_on_disk

SHAPE = f"{PRESETS}, or parts: 'sum(100)+product(10)'."
VOCABULARY = "A word a line, optionally a tab and its count behind it."
TOKENIZER = "For raw text (words) or text with blanks between all tokens (whitespace)."
LOWERCASE = "Put texts into lower case; words does unless told, whitespace does not."


@app.command()
def init(
    shape: Annotated[str, typer.Argument(help=SHAPE, show_default=False)],
    model: Annotated[Path, typer.Argument(help="Folder to write.", show_default=False)],
    vocabulary: Annotated[Path, typer.Option(metavar="FILE", help=VOCABULARY, show_default=False)],
    tokenizer: Annotated[Splitter, chosen_from(Splitter, help=TOKENIZER)] = SPLITTER,
    lowercase: Annotated[bool | None, typer.Option(help=LOWERCASE, show_default=False)] = None,
    initialization: Annotated[
        Initialization, chosen_from(Initialization, help="How the matrices are drawn.")
    ] = INITIALIZATION,
    seed: Annotated[
        int, typer.Option(metavar="NUMBER", min=0, help="Other seeds give other numbers.")
    ] = 0,
) -> None:
    """Write an untrained model.

    `cmow init hybrid-800 --vocabulary words.txt model/`
    """
    from cmow.encoder import Encoder
    from cmow.text import Tokenizer, Vocabulary

    refuse_existing(model)
    words = Vocabulary.from_file(vocabulary)
    make = Tokenizer.words if tokenizer == "words" else Tokenizer.whitespace
    chosen = make(words) if lowercase is None else make(words, lowercase=lowercase)
    encoder = Encoder.initialize(chosen, shape=shape, initialization=initialization, seed=seed)
    encoder.save(model)
    size = megabytes(size_on_disk(model))
    sys.stdout.write(f"{model}: untrained {encoder.shape}, {len(words):,} words, {size}\n")
