"""What a server makes of the encoder's speed: sentences for each CPU-second of its worker.

    python bench/serve.py [TEXT] [--seconds 5] [--minutes 10]

One worker on loopback, asked for 1, 32 and 256 texts at a time, as numbers and in base64; beside it
the same encoder in this process, and the same server with encoders of model2vec and
sentence-transformers that have as many pieces of words and as many numbers. The time is that of the
worker's CPU; clients are not counted. Writes results/serve.json and results/serve.md. Needs
cmow[serve]; model2vec and sentence-transformers are left out if they are not installed.

With --minutes, only this: two workers at saturation for so long, all answers compared with the
encoder's bit by bit, and the workers' memory watched. Writes results/saturation.json and
results/saturation.md, and fails if an answer is lost or wrong.
"""

import argparse
import base64
import http.client
import json
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from measuring import machine, table, write_results

import cmow
from cmow.corpus import read_lines
from cmow.paper.grammar import Grammar
from cmow.serving import ServeSettings, Service, serve

SENTENCES = 4_096
BATCHES = (1, 32, 256)
FORMATS = ("float", "base64")
CLIENTS = 4
JSON = {"content-type": "application/json"}
TICK = os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")


class PeerService(Service):
    """The same server with another encoder."""

    def __init__(self, encode: Callable[[list[str]], Any], settings: ServeSettings) -> None:
        super().__init__(cmow.load(), settings)
        self._encode = encode

    def embed(self, inputs: Any, tally: Any, **_: Any) -> Any:
        """What the peer makes of texts."""
        tally.texts += len(inputs)
        return np.ascontiguousarray(self._encode(inputs), np.float32)


class Server:
    """A server in a process of its own."""

    def __init__(self, service: Service) -> None:
        reading, writing = os.pipe()
        self.process = os.fork()
        if not self.process:
            try:
                serve(service, listening=lambda address: os.write(writing, address.encode()))
            finally:
                os._exit(0)
        os.close(writing)
        self.port = int(os.read(reading, 200).decode().rpartition(":")[2])
        while len(self.workers()) < service.settings.workers:
            time.sleep(0.01)

    def workers(self) -> list[int]:
        """Its processes that answer."""
        children = Path(f"/proc/{self.process}/task/{self.process}/children").read_text()
        return [int(child) for child in children.split()]

    def cpu(self) -> float:
        """Seconds of CPU that its workers have used."""
        fields = [Path(f"/proc/{each}/stat").read_text().split() for each in self.workers()]
        return sum(int(each[13]) + int(each[14]) for each in fields) / TICK

    def memory(self) -> int:
        """Bytes that its workers alone hold."""
        sizes = [Path(f"/proc/{each}/statm").read_text().split() for each in self.workers()]
        return sum(int(each[1]) - int(each[2]) for each in sizes) * PAGE

    def end(self) -> None:
        os.kill(self.process, signal.SIGTERM)
        os.waitpid(self.process, 0)


@contextmanager
def running(service: Service) -> Iterator[Server]:
    """A server as long as it is needed."""
    server = Server(service)
    try:
        yield server
    finally:
        server.end()


class Client:
    """A connection that stays open."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def post(self, body: bytes) -> tuple[int, bytes]:
        """Status and content of an answer."""
        self._connection.request("POST", "/v1/embeddings", body, JSON)
        answer = self._connection.getresponse()
        return answer.status, answer.read()


def rate(server: Server, bodies: Sequence[bytes], batch: int, seconds: float) -> float:
    """Sentences for each second of the workers' CPU."""
    stop, answered = threading.Event(), [0] * CLIENTS

    def ask(number: int) -> None:
        client, turn = Client(server.port), number
        while not stop.is_set():
            status, _ = client.post(bodies[turn % len(bodies)])
            assert status == 200
            answered[number] += batch
            turn += CLIENTS

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(CLIENTS)]
    for thread in threads:
        thread.start()
    time.sleep(seconds / 5)  # to warm up
    before, cpu = sum(answered), server.cpu()
    time.sleep(seconds)
    sentences, spent = sum(answered) - before, server.cpu() - cpu
    stop.set()
    for thread in threads:
        thread.join()
    return sentences / spent


def in_process(encode: Callable[[list[str]], Any], texts: list[str], batch: int) -> float:
    """Sentences for each second of CPU, without a server."""
    groups = [texts[start : start + batch] for start in range(0, len(texts), batch)][:1000]
    encode(groups[0])
    best = 0.0
    for _ in range(3):
        start = time.process_time()
        for group in groups:
            encode(group)
        best = max(best, sum(map(len, groups)) / (time.process_time() - start))
    return best


def peers(dim: int) -> dict[str, Callable[[list[str]], Any]]:
    """Other encoders by their names, those that are installed."""
    from tokenizers import Tokenizer

    folder = Path(cmow.__file__).parent / "models/english"
    vectors = np.random.default_rng(3).normal(size=(30_522, dim)).astype(np.float32)
    found: dict[str, Callable[[list[str]], Any]] = {}
    if find_spec("model2vec"):
        from model2vec import StaticModel

        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        static = StaticModel(vectors=vectors, tokenizer=tokenizer)
        found["model2vec"] = lambda texts: static.encode(texts, use_multiprocessing=False)
    if find_spec("sentence_transformers"):
        import torch
        from sentence_transformers import SentenceTransformer
        from sentence_transformers.models import StaticEmbedding

        torch.set_num_threads(1)
        tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        module = StaticEmbedding(tokenizer, embedding_weights=vectors)
        transformer = SentenceTransformer(modules=[module], device="cpu")
        found["sentence-transformers, static"] = lambda texts: transformer.encode(
            texts, batch_size=1024, show_progress_bar=False
        )
    return found


def compare(texts: list[str], seconds: float) -> None:
    """Measure all, and write the page."""
    encoder, settings = cmow.load(), ServeSettings(port=0, access_log=False)
    encoders = {"cmow": lambda some: encoder.encode(some, threads=1), **peers(encoder.dim)}
    rates: dict[str, dict[str, float]] = {}
    for name, encode in encoders.items():
        service = Service(encoder, settings) if name == "cmow" else PeerService(encode, settings)
        rates[f"{name}, in process"] = {
            str(batch): in_process(encode, texts, batch) for batch in BATCHES
        }
        with running(service) as server:
            for form in FORMATS:
                found = rates[f"{name}, served as {form}"] = {}
                for batch in BATCHES:
                    groups = [texts[i : i + batch] for i in range(0, len(texts), batch)]
                    bodies = [
                        json.dumps({"input": group, "encoding_format": form}).encode()
                        for group in groups
                    ]
                    found[str(batch)] = rate(server, bodies, batch, seconds)
                    print(f"{name}, {form}, {batch}: {found[str(batch)]:,.0f}", flush=True)
    header = ["sentences per CPU-second", *(f"{batch} at a time" for batch in BATCHES)]
    rows: list[list[object]] = [
        [name, *(f"{each:,.0f}" for each in found.values())] for name, found in rates.items()
    ]
    figures = {"machine": machine("starlette", "uvicorn", "orjson", "msgspec"), "rates": rates}
    write_results("serve", "Serving", figures, [table(header, rows)])


def soak(texts: list[str], minutes: float) -> None:
    """Saturate two workers, and compare all answers."""
    encoder, generator = cmow.load(), random.Random(0)
    settings = ServeSettings(port=0, access_log=False, workers=2, max_requests=6)
    asked, expected = [], []
    for _ in range(400):
        some = generator.sample(texts, generator.choice(BATCHES))
        asked.append(json.dumps({"input": some, "encoding_format": "base64"}).encode())
        rows = encoder.encode(some, normalize="all")
        expected.append([base64.b64encode(row).decode() for row in rows])
    counts = {"answered": 0, "sentences": 0, "put off": 0, "lost": 0, "wrong": 0}
    lock, stop = threading.Lock(), threading.Event()

    def ask(number: int, port: int) -> None:
        client, order = Client(port), random.Random(number)
        while not stop.is_set():
            chosen = order.randrange(len(asked))
            try:
                status, content = client.post(asked[chosen])
            except (OSError, http.client.HTTPException):
                client, outcome = Client(port), "lost"
            else:
                outcome = {200: "answered", 503: "put off"}.get(status, "wrong")
            if outcome == "answered":
                given = [each["embedding"] for each in json.loads(content)["data"]]
                outcome = "answered" if given == expected[chosen] else "wrong"
            with lock:
                counts[outcome] += 1
                counts["sentences"] += len(expected[chosen]) if outcome == "answered" else 0
            if outcome == "put off":
                time.sleep(0.05)

    with running(Service(encoder, settings)) as server:
        threads = [threading.Thread(target=ask, args=(i, server.port)) for i in range(16)]
        for thread in threads:
            thread.start()
        memory, end = [], time.monotonic() + 60 * minutes
        while time.monotonic() < end:
            time.sleep(min(10.0, 6 * minutes))
            memory.append(server.memory())
            print(f"{memory[-1] / 1e6:.0f} MB", counts, flush=True)
        stop.set()
        for thread in threads:
            thread.join()
    quarters = [memory[number * len(memory) // 4] / 1e6 for number in range(4)]
    held = [f"{size:,.0f} MB" for size in [*quarters, memory[-1] / 1e6]]
    sections = [
        f"Sixteen clients ask two workers for {', '.join(map(str, BATCHES))} texts at a time for "
        f"{minutes:g} minutes; those that a worker with {settings.max_requests} at a time puts "
        "off by 503 are asked again. Every answer is compared with the encoder's, bit by bit.",
        table(list(counts), [list(counts.values())]),
        "The memory of both workers together after each quarter of the time:",
        table(["10 s", "1/4", "1/2", "3/4", "the end"], [held]),
    ]
    figures = {"machine": machine("starlette", "uvicorn"), "minutes": minutes}
    write_results(
        "saturation", "At saturation", {**figures, "counts": counts, "memory": memory}, sections
    )
    if counts["lost"] or counts["wrong"]:
        sys.exit(1)


def main() -> None:
    """Measure, or soak."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", type=Path, nargs="?", help="a sentence a line; else a grammar's")
    parser.add_argument("--seconds", type=float, default=5, help="for each figure")
    parser.add_argument("--minutes", type=float, help="at saturation, instead")
    options = parser.parse_args()
    lines = (
        read_lines(options.text)
        if options.text
        else (sentence.text for sentence in Grammar().sentences(SENTENCES))
    )
    texts = list(islice(lines, SENTENCES))
    if options.minutes:
        soak(texts, options.minutes)
    else:
        compare(texts, options.seconds)


if __name__ == "__main__":
    main()
