"""Search that looks at some rows only: a graph of neighbors in a file of its own."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from cmow.arrays import Floats, Int64s
from cmow.errors import FormatError, require
from cmow.threads import thread_count

EXTRA = "search"


class Approximate(ABC):
    """Rows whose product with a query is likely to be large."""

    @abstractmethod
    def candidates(self, queries: Floats, count: int, threads: int | None) -> Int64s:
        """Row numbers, ``(queries, count)`` at most; -1 where there are no more."""


class Usearch(Approximate):
    """The graph (HNSW) of the usearch library, mapped into memory."""

    NEIGHBORS = 16  # of a row in the graph
    CANDIDATES = 128  # for neighbors, when a row is added
    EXPANSION = 256  # rows that a search keeps in view

    def __init__(self, path: Path) -> None:
        require("usearch", EXTRA)
        from usearch.index import Index

        try:
            opened = Index.restore(str(path), view=True, expansion_search=self.EXPANSION)
        except Exception as error:  # the library's own are of many kinds
            raise FormatError(f"{path}: damaged ({error}); rebuild the index") from error
        if opened is None:
            raise FormatError(f"{path}: damaged; rebuild the index")
        self._graph: Any = opened

    @classmethod
    def build(
        cls, path: Path, width: int, blocks: Iterable[Floats], *, threads: int | None = None
    ) -> None:
        """Write the graph of rows that come block by block."""
        require("usearch", EXTRA)
        from usearch.index import Index

        graph = Index(
            ndim=width, metric="ip", dtype="f16", connectivity=cls.NEIGHBORS,
            expansion_add=cls.CANDIDATES,
        )  # fmt: skip
        first = 0
        for rows in blocks:
            keys = np.arange(first, first + len(rows), dtype=np.uint64)
            graph.add(keys, rows, threads=thread_count(threads))
            first += len(rows)
        graph.save(str(path))

    def candidates(self, queries: Floats, count: int, threads: int | None) -> Int64s:
        found = np.full((len(queries), count), -1, np.int64)
        if len(queries) == 0:
            return found
        answer = self._graph.search(queries, count, threads=thread_count(threads))
        keys, counts = np.atleast_2d(answer.keys), np.atleast_1d(getattr(answer, "counts", count))
        there = np.arange(keys.shape[1]) < counts[:, None]
        found[:, : keys.shape[1]][there] = keys[there]
        return found
