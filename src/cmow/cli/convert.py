"""`cmow convert`: a smaller copy of a model."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from cmow.choices import Storage
from cmow.cli.app import app
from cmow.cli.choices import chosen_from
from cmow.cli.models import Model, megabytes, open_model, refuse_existing, size_on_disk


@app.command()
def convert(
    model: Model,
    out: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="Folder to write.", show_default=False)
    ],
    storage: Annotated[
        Storage,
        chosen_from(Storage, help="Type of the numbers: 32, 16, 8 or 4 bits.", show_default=False),
    ],
) -> None:
    """Store a model with fewer bits a number.

    `cmow convert model/ small/ --storage int8`

    Prints what that costs: one minus the cosine between the embeddings before and after, of random
    sentences with the corpus' word frequencies.
    """
    from cmow.classification import Classifier, is_classifier

    refuse_existing(out)
    opened = Classifier.load(model) if is_classifier(model) else open_model(model)
    losses = opened.save(out, storage=storage)
    before, after = megabytes(size_on_disk(model)), megabytes(size_on_disk(out))
    sys.stdout.write(f"{out}: {storage}, {after} instead of {before}\n")
    for loss in losses:
        sys.stdout.write(
            f"{loss.part}: loss in cosine {loss.mean:.2g}, at worst {loss.worst:.2g}\n"
        )
