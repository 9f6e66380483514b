"""How fast texts are found, exactly, against NumPy and the machine's memory.

    python bench/search.py

Rows are unit vectors around random centers, as texts of a model are. Writes results/search.json
and results/search.md.
"""

import argparse
from functools import partial
from typing import Any

import numpy as np
from measuring import best_rate, machine, table, write_results

from cmow import _core
from cmow.numbers import ROW_STORAGES, Bytes, as_bytes, meant, native, stored
from cmow.search.sketches import sketch
from cmow.threads import usable_cores

K = 10
QUERIES = (1, 10, 100)
SOME = 240  # rows that near-duplicates are looked for at a time


def units(rng: np.random.Generator, centres: np.ndarray, count: int) -> np.ndarray:
    """Unit vectors, each near one of the centers."""
    rows = centres[rng.integers(0, len(centres), count)]
    rows = rows + 0.7 * rng.standard_normal(rows.shape, np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def numpy_search(rows: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """A product and ``argpartition``, as one writes it."""
    scores = queries @ rows.T
    best = np.argpartition(-scores, K, axis=1)[:, :K]
    ranked = np.take_along_axis(scores, best, 1).argsort(axis=1)[:, ::-1]
    return np.take_along_axis(best, ranked, 1)


def native_search(
    rows: np.ndarray, scales: np.ndarray | None, queries: np.ndarray, threads: int,
    smaller: Bytes | None = None,
) -> np.ndarray:  # fmt: skip
    scores, found = (np.empty((len(queries), K), kind) for kind in (np.float32, np.int64))
    block = (native(rows), scales, None, queries)
    _core.search([block], None, scores, found, threads, smaller and [smaller])
    return found


def recall(found: np.ndarray, exact: np.ndarray) -> float:
    """The share of the best rows that are found."""
    pairs = zip(found.tolist(), exact.tolist(), strict=True)
    return float(np.mean([len(set(a) & set(b)) / len(b) for a, b in pairs]))


def exact_rates(rows: np.ndarray, queries: np.ndarray, threads: int) -> list[list[Any]]:
    """Queries a second by storage and number of queries."""
    bandwidth = _core.peak_bandwidth(threads)
    measured = []
    wanted = numpy_search(rows, queries)
    for count in QUERIES:
        some = queries[:count]
        base = best_rate(lambda some=some: numpy_search(rows, some), count, tries=3).wall
        for storage in ROW_STORAGES:
            numbers, scales = stored(rows, storage)
            smaller = as_bytes(numbers) if scales is None else None
            search = partial(native_search, numbers, scales, some, threads, smaller)
            rate = best_rate(search, count, tries=3).wall
            share = rate / count * rows.size / bandwidth
            measured.append(
                [storage, count, rate, rate / base, share, recall(search(), wanted[:count])]
            )
    return measured


def comparisons(rows: np.ndarray, threads: int) -> list[list[Any]]:
    """How long comparing all with all takes, by the pairs that are compared a second."""
    numbers, clusters = stored(rows, "float16")[0], _core.Clusters(len(rows))
    sketches, scales, margin = sketch(numbers)
    block = (native(numbers), None, None, meant(numbers[:SOME], None))
    short = (sketches, scales, None, meant(sketches[:SOME], scales[:SOME]))
    rate = best_rate(
        lambda: clusters.link(block, short, 0, 0.95, margin, threads), SOME * len(rows), tries=3
    ).wall
    return [["float16", rate, 0.5e12 / rate / 60]]


def main() -> None:
    """Measure and write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--width", type=int, default=400)
    parser.add_argument("--threads", type=int, default=usable_cores())
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((options.rows // 50 + 1, options.width), np.float32)
    rows = units(rng, centres, options.rows)
    queries = units(rng, centres, max(QUERIES))
    exact = exact_rates(rows, queries, options.threads)
    compared = comparisons(rows, options.threads)
    sections = [
        f"The {K} best of {options.rows:,} rows of {options.width} numbers on {options.threads} "
        "threads. The ratio is to NumPy's product of float32 rows and `argpartition`, in the same "
        "run; the share is that of the machine's memory bandwidth, by the bytes, one a number, "
        "that are read once for all queries; recall is against NumPy's.",
        table(
            [
                "rows",
                "queries at once",
                "queries a second",
                "ratio",
                "share of bandwidth",
                "recall",
            ],
            exact,
        ),
        "Near-duplicates: pairs compared, and what a million texts take.",
        table(["rows", "pairs a second", "minutes for a million"], compared),
    ]
    figures = {"machine": machine(), "exact": exact, "pairs": compared}
    write_results("search", "Search", figures, sections)


if __name__ == "__main__":
    main()
