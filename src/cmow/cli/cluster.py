"""`cmow cluster`: texts in as many groups as are wanted."""

from pathlib import Path
from typing import Annotated

import typer

from cmow.cli.app import app
from cmow.cli.clusters import OUTPUT, check_output, write_clusters
from cmow.cli.models import ENGLISH, ModelOption, open_model
from cmow.cli.texts import ColumnOption, FilesArgument, InvalidOption, ThreadsOption


@app.command()
def cluster(
    k: Annotated[
        int,
        typer.Option(
            "-k",
            metavar="NUMBER",
            min=1,
            help="Number of clusters.",
            rich_help_panel="Clusters",
        ),
    ],
    files: FilesArgument = None,
    model: ModelOption = ENGLISH,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help=OUTPUT, rich_help_panel="Output"),
    ] = None,
    column: ColumnOption = None,
    seed: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", min=0, help="Seed of the random start.", rich_help_panel="Clusters"
        ),
    ] = 0,
    invalid: InvalidOption = "fail",
    threads: ThreadsOption = None,
) -> None:
    """Group texts by what they are about.

    `cmow cluster texts.txt -k 20 --model model/`

    Prints cluster, cosine with its center, file and line, and text, with tabs between them: the
    largest cluster first, and in each the most typical text first. Needs cmow[cluster].
    """
    from cmow.search import find_clusters

    check_output(output)
    found = find_clusters(
        open_model(model), files or [Path("-")], k, seed=seed, column=column, invalid=invalid,
        threads=threads,
    )  # fmt: skip
    write_clusters(found, output)
