"""Encoding speed beside a recurrent network of the same size, all in the same batches."""

import math
import platform
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from cmow import _core
from cmow.corpus import Corpus
from cmow.errors import ConfigError
from cmow.evaluation import grid
from cmow.paper.reproduction.experiment import Experiment
from cmow.paper.reproduction.expression import encoder_of
from cmow.paper.reproduction.model_store import ModelStore
from cmow.paper.reproduction.plot import drawn_curves
from cmow.threads import usable_cores

SENTENCES, BATCH, TRIES = 8192, 1024, 3
LENGTHS = (4, 16, 64, 256)
NETWORK = "Elman RNN"
PAPER = {"CBOW/784": 61_000, "CMOW/784": 71_000, NETWORK: 12_000}  # on a GPU


def machine_today() -> str:
    """What figures of this moment are owed to."""
    machine = f"{usable_cores()} cores, {platform.machine()} ({_core.level()})"
    return f"on {date.today()}, {machine}"


def speeds(experiment: Experiment, store: ModelStore) -> dict[str, Any]:
    """Sentences a second, in PyTorch and by cmow, and milliseconds for single sentences."""
    import torch

    from cmow.paper.reproduction.padded import composing, elman

    encoders = {
        row.name: encoder_of(row.encoder, partial(store.start, experiment, seed=0))
        for row in experiment.rows
    }
    batches, words = _batches(store.corpus), len(store.corpus.tokenizer.vocabulary)
    encodes = {name: composing(encoder) for name, encoder in encoders.items()}
    encodes[NETWORK] = elman(words, next(iter(encoders.values())).dim)
    padded = [torch.from_numpy(_padded(batch, words)) for batch in batches]
    singles = {n: torch.arange(n)[None] % words for n in LENGTHS}
    with torch.inference_mode():
        return {
            "measured": machine_today(),
            "torch": {
                name: BATCH * len(batches) / _seconds(encode, padded)
                for name, encode in encodes.items()
            },
            "cmow": {
                name: BATCH * len(batches) / _seconds(encoder.encode_ids, batches)
                for name, encoder in encoders.items()
            },
            "single": {
                name: {str(n): 1000 * _seconds(encode, [ids]) for n, ids in singles.items()}
                for name, encode in encodes.items()
            },
        }


def table(found: Mapping[str, Any]) -> str:
    """Both kinds of figures."""
    rates = [
        [name, *(_count(column.get(name)) for column in (found["torch"], found["cmow"], PAPER))]
        for name in found["torch"]
    ]
    steps = [
        [
            f"{n:,} words",
            f"{n:,}",
            str(math.ceil(math.log2(n))),
            *(f"{of_length[str(n)]:.2f}" for of_length in found["single"].values()),
        ]
        for n in LENGTHS
    ]
    head = ["one sentence", "steps of the RNN", "steps of a product"]
    return "\n\n".join(
        [
            f"Measured {found['measured']}.",
            grid([["sentences a second", "PyTorch", "cmow", "paper, on a GPU"], *rates]),
            grid([head + [f"{name}, ms" for name in found["single"]], *steps]),
        ]
    )


def plot(found: Mapping[str, Any], path: Path) -> None:
    """Draw the time for a single sentence against its words."""
    with drawn_curves(path) as axes:
        for name, of_length in found["single"].items():
            axes.plot(LENGTHS, [of_length[str(n)] for n in LENGTHS], "o-", label=name)
        axes.set_xscale("log", base=2)
        axes.set_xticks(LENGTHS, map(str, LENGTHS))
        axes.set(yscale="log", xlabel="words of a sentence", ylabel="milliseconds, in PyTorch")


def _count(number: float | None) -> str:
    return "–" if number is None else f"{number:,.0f}"


def check_corpus(corpus: Corpus) -> None:
    """Refuse a corpus that does not fill a batch."""
    if len(corpus) < BATCH:
        raise ConfigError(
            f"speed is measured in batches of {BATCH:,} sentences: take a larger corpus"
        )


def _batches(corpus: Corpus) -> list[list[Any]]:
    """Sentences as they come, their ids, as many as whole batches take."""
    count = min(SENTENCES, len(corpus)) // BATCH * BATCH
    return [[corpus[start + number] for number in range(BATCH)] for start in range(0, count, BATCH)]


def _padded(batch: Sequence[Any], padding: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    ids = np.full((len(batch), max(map(len, batch))), padding, np.int64)
    for row, sentence in zip(ids, batch, strict=True):
        row[: len(sentence)] = sentence
    return ids


def _seconds(encode: Callable[[Any], object], batches: Sequence[Any]) -> float:
    """The least time of some tries; noise only ever slows down."""
    times = []
    for _ in range(1 + TRIES):  # the first one warms up
        started = time.perf_counter()
        for batch in batches:
            encode(batch)
        times.append(time.perf_counter() - started)
    return min(times[1:])
