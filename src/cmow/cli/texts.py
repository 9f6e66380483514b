"""The texts that a command takes, and how it works through them."""

from pathlib import Path
from typing import Annotated

import typer

from cmow.choices import Invalid
from cmow.cli.choices import chosen_from

FILES = (
    "One text per line, plain or packed by gz, xz or zst. Without files, or with -, stdin is read."
)
COLUMN = "The column of the texts, if the files are tables (CSV, TSV, JSON lines, Parquet, Arrow)."
INVALID = "What to do with lines that are not UTF-8."

FilesArgument = Annotated[
    list[Path] | None, typer.Argument(metavar="FILES", help=FILES, show_default=False)
]
ColumnOption = Annotated[
    str | None, typer.Option(metavar="NAME", help=COLUMN, rich_help_panel="Input")
]
InvalidOption = Annotated[Invalid, chosen_from(Invalid, help=INVALID, rich_help_panel="Input")]
ThreadsOption = Annotated[
    int | None,
    typer.Option(metavar="NUMBER", min=1, help="Number of threads; all cores if not given."),
]
