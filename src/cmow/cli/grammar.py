"""`cmow grammar`: sentences of the small generated language."""

import sys
from typing import Annotated

import typer

from cmow.cli.app import app


@app.command()
def grammar(
    count: Annotated[int, typer.Argument(min=1, help="How many sentences.")],
    seed: Annotated[
        int, typer.Option(metavar="NUMBER", min=0, help="Other seeds give other sentences.")
    ] = 0,
    trees: Annotated[bool, typer.Option("--trees", help="Trees instead of words.")] = False,
) -> None:
    """Write sentences of a small generated language, one per line.

    `cmow grammar 1000 > corpus.txt`

    The language is English-like, and the gold tree of every sentence is known.
    """
    from cmow.paper.grammar import Grammar

    for sentence in Grammar(seed).sentences(count):
        sys.stdout.write(f"{sentence.bracketed() if trees else sentence.text}\n")
