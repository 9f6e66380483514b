"""The speed of the model that comes with the package, from strings, beside its teacher and peers.

    python bench/english.py TEACHER TEXT

All in one run, on one thread each, by the CPU's time. Writes results/english.json and
results/english.md. Needs sentence-transformers and model2vec.
"""

import argparse
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from distilled import model2vec_of
from measuring import best_rate, machine, table, write_results

import cmow
from cmow.corpus import read_lines
from cmow.distillation.teacher import SentenceTransformerTeacher

SENTENCES = 20_000
OF_TEACHER = 1_000  # it is slow
ROUNDS = 5
TEACHER = "the teacher, bfloat16"


def rates_of(rates: dict[str, float]) -> str:
    """A row for each encoder."""
    rows = [[name, each, f"{each / rates[TEACHER]:.0f}"] for name, each in rates.items()]
    return table(["encoder", "sentences per CPU-second", "times the teacher's speed"], rows)


def main() -> None:
    """Measure all, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("teacher", help="a sentence-transformers model")
    parser.add_argument("text", type=Path, help="a sentence a line")
    options = parser.parse_args()
    texts = list(islice(read_lines(options.text), SENTENCES))
    ours, static = cmow.load(), model2vec_of(options.teacher)
    teacher = SentenceTransformerTeacher(options.teacher)
    encoders: dict[str, tuple[Callable[[list[str]], Any], list[str]]] = {
        f"english, {ours.dim} numbers": (lambda some: ours.encode(some, threads=1), texts),
        "english, 256 numbers": (lambda some: ours.encode(some, dimensions=256, threads=1), texts),
        "model2vec from the same teacher, 256": (
            lambda some: static.encode(some, use_multiprocessing=False),
            texts,
        ),
        TEACHER: (teacher.encode, texts[:OF_TEACHER]),
    }
    rates = {
        name: best_rate(lambda encode=encode, some=some: encode(some), len(some)).cpu
        for name, (encode, some) in encoders.items()
    }
    load = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        cmow.load()
        load.append(time.perf_counter() - start)
    words = float(np.mean([len(text.split()) for text in texts]))
    sections = [
        f"{len(texts):,} sentences of {words:.0f} words on average (the teacher: {OF_TEACHER:,}), "
        "from strings, one thread.",
        rates_of(rates),
        f"`cmow.load()` takes {1000 * min(load):.0f} ms.",
    ]
    figures = {"machine": machine(), "rates": rates, "load": min(load)}
    write_results("english", "The speed of the model that comes with it", figures, sections)


if __name__ == "__main__":
    main()
