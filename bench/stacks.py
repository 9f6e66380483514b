"""The server's stack beside others that answer the same: sentences for each CPU-second.

    python bench/stacks.py [TEXT] [--seconds 5]

The same encoder behind FastAPI (pydantic) and behind Litestar (msgspec), both on uvicorn, written
as their guides would have it, and our own application on granian instead of uvicorn; each has one
process, and its CPU's time counts. Writes results/stacks.json and results/stacks.md. Needs
cmow[serve], fastapi, litestar and granian; some two minutes for the seconds above.
"""

import argparse
import asyncio
import base64
import json
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from measuring import machine, table, write_results
from serve import BATCHES, FORMATS, SENTENCES, TICK, rate

import cmow
from cmow.corpus import read_lines
from cmow.paper.grammar import Grammar
from cmow.serving import ServeSettings, Service
from cmow.serving.app import make_app

SETTINGS = ServeSettings(port=0, access_log=False)


def answer(texts: list[str], form: str) -> dict[str, Any]:
    """What OpenAI's endpoint answers, in lists and dictionaries."""
    rows = ENCODER.encode(texts, normalize="all", threads=1)
    shown = (base64.b64encode(row).decode() if form == "base64" else row.tolist() for row in rows)
    data = [
        {"object": "embedding", "index": number, "embedding": each}
        for number, each in enumerate(shown)
    ]
    return {"object": "list", "model": "english", "data": data, "usage": {"total_tokens": 0}}


def ours() -> Any:
    """Starlette, msgspec and orjson."""
    return make_app(Service(ENCODER, SETTINGS))


def fastapi() -> Any:
    """FastAPI, with pydantic."""
    from fastapi import FastAPI
    from pydantic import BaseModel

    class Asked(BaseModel):
        input: list[str]
        encoding_format: str = "float"

    class Embedding(BaseModel):
        object: str
        index: int
        embedding: list[float] | str

    class Answer(BaseModel):
        object: str
        model: str
        data: list[Embedding]
        usage: dict[str, int]

    app = FastAPI()

    @app.post("/v1/embeddings")
    def embed(asked: Asked) -> Answer:
        return Answer.model_validate(answer(asked.input, asked.encoding_format))

    return app


def litestar() -> Any:
    """Litestar, with msgspec."""
    import msgspec
    from litestar import Litestar, post

    class Asked(msgspec.Struct):
        input: list[str]
        encoding_format: str = "float"

    @post("/v1/embeddings", sync_to_thread=True, status_code=200)
    def embed(data: Asked) -> dict[str, Any]:
        return answer(data.input, data.encoding_format)

    embed.fn.__annotations__["data"] = Asked  # a class of this function, which has no name outside
    return Litestar([embed])


def by_uvicorn(make: Callable[[], Any], port: int) -> None:
    import uvicorn

    uvicorn.run(make(), port=port, log_level="error", access_log=False)


def by_granian(make: Callable[[], Any], port: int) -> None:
    from granian.server.embed import Server

    asyncio.run(Server(make(), port=port, interface="asgi").serve())


class Process:
    """A server that has but one process."""

    def __init__(self, run: Callable[[Callable[[], Any], int], None], make: Any) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._process = os.fork()
        if not self._process:
            try:
                run(make, self.port)
            finally:
                os._exit(0)
        while socket.socket().connect_ex(("127.0.0.1", self.port)):
            time.sleep(0.05)

    def cpu(self) -> float:
        """Seconds of CPU that it has used."""
        fields = Path(f"/proc/{self._process}/stat").read_text().split()
        return (int(fields[13]) + int(fields[14])) / TICK

    def end(self) -> None:
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)


@contextmanager
def running(*what: Any) -> Iterator[Process]:
    """A server as long as it is needed."""
    server = Process(*what)
    try:
        yield server
    finally:
        server.end()


STACKS = {
    "cmow (Starlette, uvicorn)": (by_uvicorn, ours),
    "the same on granian": (by_granian, ours),
    "Litestar, uvicorn": (by_uvicorn, litestar),
    "FastAPI, uvicorn": (by_uvicorn, fastapi),
}
ENCODER = cmow.load()


def main() -> None:
    """Ask each of them for as long, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", type=Path, nargs="?", help="a sentence a line; else a grammar's")
    parser.add_argument("--seconds", type=float, default=5, help="for each figure")
    options = parser.parse_args()
    lines = (
        read_lines(options.text)
        if options.text
        else (sentence.text for sentence in Grammar().sentences(SENTENCES))
    )
    texts = list(islice(lines, SENTENCES))
    rates: dict[str, dict[str, float]] = {name: {} for name in STACKS}
    for name, stack in STACKS.items():
        with running(*stack) as server:
            for form in FORMATS:
                for batch in BATCHES:
                    groups = (texts[i : i + batch] for i in range(0, len(texts), batch))
                    bodies = [
                        json.dumps({"input": group, "encoding_format": form}).encode()
                        for group in groups
                    ]
                    found = rate(server, bodies, batch, options.seconds)
                    rates[name][f"{batch} as {form}"] = found
                    print(f"{name}, {batch} as {form}: {found:,.0f}", flush=True)
    header = ["sentences per CPU-second", *next(iter(rates.values()))]
    rows = [[name, *(f"{each:,.0f}" for each in found.values())] for name, found in rates.items()]
    figures = {
        "machine": machine("starlette", "uvicorn", "fastapi", "litestar", "granian"),
        "rates": rates,
    }
    write_results("stacks", "Stacks of servers", figures, [table(header, rows)])


if __name__ == "__main__":
    main()
