"""`cmow similarity`: the cosine of texts, pair by pair."""

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from cmow.cli.app import app
from cmow.cli.models import Model, PartName, checked_text, open_model
from cmow.errors import FormatError
from cmow.pluralize import pluralize

BLOCK = 4096

PAIRS = "Compare pairs of texts, one pair per line with a tab in between. - is stdin."

Text = Annotated[
    str | None,
    typer.Argument(
        help="A text, in quotes if it has blanks.", callback=checked_text, show_default=False
    ),
]


@app.command()
def similarity(
    model: Model,
    a: Text = None,
    b: Text = None,
    pairs: Annotated[Path | None, typer.Option(metavar="FILE", help=PAIRS)] = None,
    part: PartName = None,
) -> None:
    """Compare two texts.

    `cmow similarity model/ "the dog chased the cat" "a cat ran away"`

    `cmow similarity model/ --pairs pairs.tsv | paste - pairs.tsv`

    Prints the cosine of their embeddings; of many pairs, a line each.
    """
    if pairs is None and a is not None and b is not None:
        sys.stdout.write(f"{open_model(model, part).similarity(a, b):.6f}\n")
        return
    if pairs is None or a is not None:
        raise typer.BadParameter("give two texts, or --pairs FILE", param_hint="'A B'")
    encoder = open_model(model, part)
    lines = _pairs(pairs)
    while block := list(islice(lines, BLOCK)):
        left, right = zip(*block, strict=True)
        for cosine in encoder.similarity_pairwise(left, right):
            sys.stdout.write(f"{cosine:.6f}\n")


def _pairs(path: Path) -> Iterator[tuple[str, str]]:
    from cmow.corpus import read_lines

    for number, line in enumerate(read_lines(path), start=1):
        fields = line.split("\t")
        if len(fields) != 2:
            raise FormatError(
                f"{path}:{number}: {pluralize(len(fields), 'field')}: "
                "write two texts with a tab between them"
            )
        yield fields[0], fields[1]
