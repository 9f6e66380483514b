"""A small text on disk, and the ways to train on it."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from cmow import Encoder
from cmow.paper.grammar import Grammar

# Small enough for a run to take a second, with everything that happens in a run happening often.
SETTINGS: dict[str, Any] = {
    "sigma": 0.1,
    "adam": "dense",
    "share_negatives": "window",
    "schedule": "constant",  # so that a run may go on after its end
    "shape": "sum(6)+product(3)",
    "batch_sentences": 16,
    "negatives": 5,
    "learning_rate": 0.003,
    "patience": 100,
    "validation_updates": 25,
    "report_updates": 10,
    "threads": 1,
}
# What a test run leaves out of its environment, should the tests themselves run under torchrun.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "WORLD_SIZE"}


def write_text(path: Path, sentences: int = 300, *, seed: int = 0) -> Path:
    """Write sentences of the generated language."""
    lines = (sentence.text for sentence in Grammar(seed).sentences(sentences))
    path.write_text("\n".join(lines) + "\n")
    return path


def command(corpus: Path, model: Path, *more: str, **changes: Any) -> list[str]:
    """The command line of a small run."""
    flags = []
    for name, value in {**SETTINGS, **changes}.items():
        flags += [f"--{name.replace('_', '-')}", str(value)]
    return [sys.executable, "-m", "cmow", "train", str(corpus), str(model), *flags, *more]


def tables(encoder: Encoder) -> list[NDArray[Any]]:
    """The tables of an encoder's parts."""
    return [part.table for part in encoder.parts]


def content(model: Path) -> dict[str, bytes]:
    """The files of a model that are to be the same whatever interruptions there were."""
    names = ("model.safetensors", "tokenizer.json", "config.json")
    return {name: (model / name).read_bytes() for name in names}


def losses(model: Path) -> list[dict[str, float]]:
    """The history without what depends on the clock."""
    lines = map(json.loads, (model / "history.jsonl").read_text().splitlines())
    timed = {"seconds", "windows_per_second"}
    return [{name: line[name] for name in line.keys() - timed} for line in lines]
