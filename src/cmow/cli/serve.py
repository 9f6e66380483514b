"""`cmow serve`: an encoder behind HTTP."""

import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from cmow.cli.app import app
from cmow.cli.flags import flags_of, with_flags
from cmow.cli.models import ENGLISH, MODEL
from cmow.serving import ServeSettings

KEY = "CMOW_API_KEY"
INDEX = "Folder of an index that 'cmow index' made with the model, for /search and the page."


@app.command()
@with_flags(flags_of(ServeSettings, panel="Server"))
def serve(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help=MODEL)] = ENGLISH,
    *,
    index: Annotated[Path | None, typer.Option(metavar="INDEX", help=INDEX)] = None,
    **flags: Any,
) -> None:
    """Serve a model over HTTP, with a page that shows what it does.

    `cmow serve model/ --index index/ --port 8000`

    OpenAI's `/v1/embeddings`, the endpoints of text-embeddings-inference (`/embed`, `/similarity`),
    `/search`, Prometheus' `/metrics`, and the page at `/`. All are described at `/openapi.json`.
    Needs `pip install 'cmow[serve]'`.
    """
    from cmow.encoder import load
    from cmow.search import Index
    from cmow.serving import Service
    from cmow.serving import serve as serve_service

    settings = ServeSettings(**flags)
    if settings.api_key is None and os.environ.get(KEY):
        settings = replace(settings, api_key=os.environ[KEY])
    encoder = load(model)
    service = Service(
        encoder,
        settings,
        index=None if index is None else Index.open(index, encoder),
        name=settings.name or model.resolve().name,
    )

    def listening(address: str) -> None:
        sys.stderr.write(f"cmow: {service.name} at {address}\n")

    raise typer.Exit(128 + serve_service(service, listening=listening))
