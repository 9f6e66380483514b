"""`cmow index`: texts become what `cmow search` searches."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cmow.choices import RowStorage
from cmow.cli.app import app
from cmow.cli.choices import chosen_from
from cmow.cli.models import ENGLISH, ModelOption, megabytes, refuse_existing, size_on_disk
from cmow.cli.texts import ColumnOption, FilesArgument, InvalidOption, ThreadsOption

STORAGE = "Type of the numbers: 32, 16 or 8 bits."
APPROXIMATE = "Search by a graph that looks at some texts only; needs cmow[search]."
ADD = "Add to an existing index."


@app.command()
def index(
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="INDEX", help="Folder of the index.", rich_help_panel="Index"
        ),
    ],
    files: FilesArgument = None,
    model: ModelOption = ENGLISH,
    storage: Annotated[
        RowStorage, chosen_from(RowStorage, help=STORAGE, rich_help_panel="Index")
    ] = "float16",
    approximate: Annotated[
        bool, typer.Option("--approximate", help=APPROXIMATE, rich_help_panel="Index")
    ] = False,
    add: Annotated[bool, typer.Option("--add", help=ADD, rich_help_panel="Index")] = False,
    column: ColumnOption = None,
    invalid: InvalidOption = "fail",
    threads: ThreadsOption = None,
) -> None:
    """Index texts for searching.

    `cmow index texts.txt -o index/ --model model/`

    `cmow index books.csv -o index/ --column title`

    Each line is a text. The index remembers the file and line of each, and where its model is. It
    also keeps the other columns of tables.
    """
    from cmow.search import Index

    inputs = files or [Path("-")]
    if add:
        made = Index.open(output)
        made.add(inputs, column=column, invalid=invalid, threads=threads)
        if approximate:
            made.approximate(threads=threads)
    else:
        refuse_existing(output)
        made = Index.build(
            model,
            inputs,
            output,
            column=column,
            storage=storage,
            approximate=approximate,
            invalid=invalid,
            threads=threads,
        )
    sys.stdout.write(f"{output}: {len(made):,} texts, {megabytes(size_on_disk(output))}\n")
