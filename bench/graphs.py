"""Graphs of neighbors by usearch and by hnswlib, of embedded texts, beside exact search.

    python bench/graphs.py TEXTS [--rows 1000000]

TEXTS has a text a line (.xz, .gz … too), which the model that comes with the package embeds; the
last lines are the queries. Both libraries get the same number of neighbors and candidates. Times
are the CPU's, which other work on the machine disturbs little. Writes results/graphs.json and
results/graphs.md; a million rows take some 40 minutes on two cores.
"""

import argparse
import tempfile
import time
from collections.abc import Callable
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
from measuring import machine, table, write_results

import cmow
from cmow import _core
from cmow.corpus import read_batches
from cmow.numbers import native
from cmow.search.approximate import Usearch
from cmow.threads import usable_cores

K = 10
QUERIES = 1_000
BLOCK = 65_536
EXPANSIONS = (64, 128, Usearch.EXPANSION)
Search = Callable[[np.ndarray, int], np.ndarray]


def exactly(rows: np.ndarray, queries: np.ndarray) -> np.ndarray:
    """The rows that are nearest."""
    scores, found = (np.empty((len(queries), K), kind) for kind in (np.float32, np.int64))
    _core.search([(native(rows), None, None, queries)], None, scores, found, usable_cores(), None)
    return found


def usearch(rows: np.ndarray, path: Path) -> Search:
    """The graph that an index has."""
    blocks = (rows[start : start + BLOCK] for start in range(0, len(rows), BLOCK))
    Usearch.build(path, rows.shape[1], blocks)
    graph = Usearch(path)

    def search(queries: np.ndarray, expansion: int) -> np.ndarray:
        graph._graph.expansion_search = expansion
        return graph.candidates(queries, K, 1)

    return search


def hnswlib(rows: np.ndarray, path: Path) -> Search:
    """The same kind of graph, in float32."""
    import hnswlib

    graph = hnswlib.Index(space="ip", dim=rows.shape[1])
    graph.init_index(len(rows), ef_construction=Usearch.CANDIDATES, M=Usearch.NEIGHBORS)
    graph.add_items(rows, num_threads=usable_cores())
    graph.save_index(str(path))

    def search(queries: np.ndarray, expansion: int) -> np.ndarray:
        graph.set_ef(expansion)
        return graph.knn_query(queries, K, num_threads=1)[0].astype(np.int64)

    return search


def measured(
    make: Callable[[np.ndarray, Path], Search], rows: np.ndarray, queries: np.ndarray
) -> list[list[Any]]:
    """Recall and speed by what a search keeps in view."""
    exact = exactly(rows, queries)
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "graph"
        start = time.process_time()
        search = make(rows, path)
        minutes = (time.process_time() - start) / 60
        search(queries, max(EXPANSIONS))  # reads the file
        for expansion in EXPANSIONS:
            start = time.process_time()
            found = search(queries, expansion)
            rate = len(queries) / (time.process_time() - start)
            pairs = zip(found.tolist(), exact.tolist(), strict=True)
            recall = float(np.mean([len(set(some) & set(best)) / K for some, best in pairs]))
            size = path.stat().st_size / len(rows)
            lines.append([make.__name__, expansion, recall, rate, minutes, size])
            print(*lines[-1], flush=True)
    return lines


def main() -> None:
    """Build both, search with both, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("texts", type=Path)
    parser.add_argument("--rows", type=int, default=1_000_000)
    options = parser.parse_args()
    lines = chain.from_iterable(batch.texts for batch in read_batches([options.texts]))
    texts = list(islice(lines, options.rows + QUERIES))
    embedded = cmow.load().comparable().encode(texts, normalize_embeddings=True)
    rows, queries = embedded[: options.rows], embedded[options.rows :]
    figures = [*measured(usearch, rows, queries), *measured(hnswlib, rows, queries)]
    header = ["library", "rows in view", f"recall@{K}", "queries a CPU-second"]
    sections = [
        f"The {K} best of the embeddings of {len(rows):,} sentences, {rows.shape[1]} numbers each, "
        f"for {len(queries):,} other sentences, on one thread: {Usearch.NEIGHBORS} neighbors a "
        f"row, {Usearch.CANDIDATES} candidates when one is added. Recall is against exact search. "
        f"An index keeps {Usearch.EXPANSION} rows in view.",
        table([*header, "CPU-minutes to build", "bytes a row"], figures),
    ]
    write_results(
        "graphs", "Graphs", {"machine": machine("usearch", "hnswlib"), "graphs": figures}, sections
    )


if __name__ == "__main__":
    main()
