"""`cmow duplicates`: texts that say nearly the same."""

from pathlib import Path
from typing import Annotated

import typer

from cmow.choices import Invalid
from cmow.cli.app import app
from cmow.cli.choices import chosen_from
from cmow.cli.clusters import OUTPUT, check_output, write_clusters
from cmow.cli.index import COLUMN, FILES, INVALID
from cmow.cli.models import ENGLISH, ModelOption, open_model

THRESHOLD = "The least cosine of two texts that belong together; it is kept to a thousandth."


@app.command()
def duplicates(
    files: Annotated[
        list[Path] | None, typer.Argument(metavar="FILES", help=FILES, show_default=False)
    ] = None,
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
    column: Annotated[
        str | None, typer.Option(metavar="NAME", help=COLUMN, rich_help_panel="Input")
    ] = None,
    invalid: Annotated[
        Invalid, chosen_from(Invalid, help=INVALID, rich_help_panel="Input")
    ] = "fail",
    threads: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=1, help="All cores if not given.")
    ] = None,
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
