"""`cmow triples`: the benchmark of word order as files."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cmow.cli.app import app


@app.command()
def triples(
    folder: Annotated[Path, typer.Argument(help="Where train.jsonl, test.jsonl and a card go.")],
) -> None:
    """Write the benchmark of word order, for other tools.

    `cmow triples word-order/`

    To run it here, no files are needed: `cmow evaluate model/ --tasks order` has them all.
    """
    from cmow.evaluation import write_benchmark

    write_benchmark(folder)
    sys.stdout.write(f"{folder}: train.jsonl, test.jsonl, README.md\n")
