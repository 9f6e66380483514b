"""How fast texts are found: exactly, against NumPy and the machine's memory; and by a graph.

    python bench/search.py

Rows are unit vectors around random centres, as texts of a model are. Writes results/search.json
and results/search.md.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measuring import best_rate, machine, table, write_results

from cmow import _core
from cmow.numbers import ROW_STORAGES, Bytes, as_bytes, meant, native, stored
from cmow.search.approximate import Usearch
from cmow.search.sketches import sketch
from cmow.threads import usable_cores

K = 10
QUERIES = (1, 10, 100)
BLOCK = 65_536
SOME = 240  # rows that near-duplicates are looked for at a time


def units(rng: np.random.Generator, centres: np.ndarray, count: int) -> np.ndarray:
    """Unit vectors, each near one of the centres."""
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


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    start = time.perf_counter()
    made = work()
    return made, time.perf_counter() - start


class Graph(NamedTuple):
    """What a library made of the rows."""

    found: np.ndarray
    built: float  # seconds
    searched: float
    size: int  # bytes of its file


def usearch(rows: np.ndarray, queries: np.ndarray, threads: int, path: Path) -> Graph:
    blocks = (rows[start : start + BLOCK] for start in range(0, len(rows), BLOCK))
    _, built = timed(lambda: Usearch.build(path, rows.shape[1], blocks, threads=threads))
    graph = Usearch(path)
    graph.candidates(queries, K, 1)  # reads the file
    found, searched = timed(lambda: graph.candidates(queries, K, 1))
    return Graph(found, built, searched, path.stat().st_size)


def hnswlib(rows: np.ndarray, queries: np.ndarray, threads: int, path: Path) -> Graph:
    import hnswlib

    graph = hnswlib.Index(space="ip", dim=rows.shape[1])
    graph.init_index(len(rows), ef_construction=Usearch.CANDIDATES, M=Usearch.NEIGHBOURS)
    _, built = timed(lambda: graph.add_items(rows, num_threads=threads))
    graph.set_ef(Usearch.EXPANSION)
    graph.save_index(str(path))
    (found, _), searched = timed(lambda: graph.knn_query(queries, K, num_threads=1))
    return Graph(found.astype(np.int64), built, searched, path.stat().st_size)


def graphs(rows: np.ndarray, queries: np.ndarray, threads: int) -> list[list[Any]]:
    """Recall and speed of the libraries that are there."""
    exact = native_search(rows, None, queries, threads)
    measured: list[list[Any]] = []
    for search in (usearch, hnswlib):
        with tempfile.TemporaryDirectory() as folder:
            try:
                made = search(rows, queries, threads, Path(folder) / "graph")
            except ImportError:
                continue
        rate, share = len(queries) / made.searched, recall(made.found, exact)
        measured.append([search.__name__, made.built, rate, share, made.size / len(rows)])
    return measured


def main() -> None:
    """Measure and write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--width", type=int, default=400)
    parser.add_argument("--graph-rows", type=int, help="rows of the graphs, if not all")
    parser.add_argument("--threads", type=int, default=usable_cores())
    options = parser.parse_args()
    rng = np.random.default_rng(0)
    centres = rng.standard_normal((options.rows // 50 + 1, options.width), np.float32)
    rows = units(rng, centres, options.rows)
    queries = units(rng, centres, max(QUERIES))
    exact = exact_rates(rows, queries, options.threads)
    compared = comparisons(rows, options.threads)
    approximate = graphs(rows[: options.graph_rows], queries, options.threads)
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
        f"By a graph, the {K} best of {options.graph_rows or options.rows:,} of the same rows: "
        f"{Usearch.NEIGHBOURS} neighbours a row, "
        f"{Usearch.CANDIDATES} candidates when it is added, {Usearch.EXPANSION} when one is "
        f"searched for, on one thread; built on {options.threads}. Recall is against the exact "
        "search.",
        table(
            ["library", "seconds to build", "queries a second", f"recall@{K}", "bytes a row"],
            approximate,
        ),
    ]
    figures = {"machine": machine(), "exact": exact, "pairs": compared, "graphs": approximate}
    write_results("search", "Search", figures, sections)


if __name__ == "__main__":
    main()
