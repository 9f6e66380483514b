"""`cmow export-web`: a page that shows a model without a server."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cmow.cli.app import app
from cmow.cli.models import Model, megabytes, open_model, size_on_disk


@app.command("export-web")
def export_web(
    model: Model,
    folder: Annotated[Path, typer.Argument(help="Folder to write.", show_default=False)],
    name: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="What the page calls the model; else its folder's name."),
    ] = None,
) -> None:
    """Write a page that runs a model in the browser.

    `cmow export-web model/ site/`

    Any static host will do, as `python -m http.server --directory site/`: the core comes as
    WebAssembly, and nothing is sent anywhere. Models of more than 8 bits a number are rounded.
    """
    from cmow.serving import export_web as write

    comparable = open_model(model).comparable()  # what the page shows are cosines
    written = write(comparable, folder, name=name or model.resolve().name)
    sys.stdout.write(f"{written}: {megabytes(size_on_disk(written))}\n")
