"""`cmow plot`: the curves of a training run."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cmow.cli.app import app

OUTPUT = "Path of the pictures without suffix; 'curves' in the model's folder if not given."


@app.command()
def plot(
    model: Annotated[Path, typer.Argument(help="A model's folder, also while it is trained.")],
    output: Annotated[
        Path | None, typer.Option(metavar="PATH", help=OUTPUT, show_default=False)
    ] = None,
) -> None:
    """Draw the losses and the learning rate of a training run as PNG and SVG.

    `cmow plot model/`
    """
    from cmow.training import find_history, plot_history

    history = find_history(model)
    folder = model if model.is_dir() else history.parent
    for file in plot_history(history, output or folder / "curves"):
        sys.stdout.write(f"{file}\n")
