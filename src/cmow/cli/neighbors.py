"""`cmow neighbors`: words that a model takes to be alike."""

import sys
from typing import Annotated

import typer

from cmow.cli.app import app
from cmow.cli.models import Model, PartName, checked_text, open_model


@app.command()
def neighbors(
    model: Model,
    word: Annotated[
        str,
        typer.Argument(help="A word of the vocabulary.", callback=checked_text, show_default=False),
    ],
    count: Annotated[
        int, typer.Option(metavar="NUMBER", min=1, help="How many words to show.")
    ] = 10,
    part: PartName = None,
) -> None:
    """List the words most similar to a word.

    `cmow neighbors model/ dog --count 5 --part cmow`
    """
    for neighbor in open_model(model, part).most_similar_words(word, count=count):
        sys.stdout.write(f"{neighbor.word}\t{neighbor.similarity:.4f}\n")
