"""`cmow duplicates`: texts that say nearly the same."""

from pathlib import Path
from typing import Annotated

import typer

from cmow.cli.app import app
from cmow.cli.clusters import OUTPUT, check_output, write_clusters
from cmow.cli.models import ENGLISH, ModelOption, open_model
from cmow.cli.texts import ColumnOption, FilesArgument, InvalidOption, ThreadsOption

THRESHOLD = "Texts with at least this cosine belong together; it is kept to a thousandth."


@app.command()
def duplicates(
    files: FilesArgument = None,
    model: ModelOption = ENGLISH,
    threshold: Annotated[
        float,
        typer.Option(
            metavar="NUMBER", min=0.01, max=1, help=THRESHOLD, rich_help_panel="Duplicates"
        ),
    ] = 0.95,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help=OUTPUT, rich_help_panel="Output"),
    ] = None,
    column: ColumnOption = None,
    invalid: InvalidOption = "fail",
    threads: ThreadsOption = None,
) -> None:
    """List near-duplicates.

    `cmow duplicates texts.txt --model model/ --threshold 0.9`

    Prints cluster, cosine with the first text of the cluster, file and line, and text, with tabs
    between them. All texts are compared with all: a cluster has those that are alike, and those
    that are linked through others.
    """
    from cmow.search import find_duplicates

    check_output(output)
    found = find_duplicates(
        open_model(model), files or [Path("-")], threshold=threshold, column=column,
        invalid=invalid, threads=threads,
    )  # fmt: skip
    write_clusters(found, output)
