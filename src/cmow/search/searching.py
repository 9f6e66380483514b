"""How an index is searched: all rows, or those that a graph takes for near."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload

import numpy as np

from cmow import _core
from cmow.arrays import Floats, Int64s
from cmow.encoder import Span
from cmow.errors import ConfigError
from cmow.search.blocks import Query
from cmow.search.entries import TEXT
from cmow.search.opened import OpenedIndex
from cmow.threads import thread_count

MORE = 10  # as many candidates are looked at as are wanted, where only some can be looked at
FEW_TEXTS = 200  # that passages are looked for in at least, if that takes no more spans than
MOST_SPANS = 1_000_000

logger = logging.getLogger("cmow.search")


class Hit(NamedTuple):
    """A text that was found.

    :param row: its number in the index
    :param metadata: file and line if it comes from a file, and the columns that were given
    :param span: the passage that is most like the query, if passages were asked for
    """

    row: int
    score: float
    text: str
    metadata: dict[str, Any]
    span: Span | None = None


class Searching(OpenedIndex):
    """An index that answers queries."""

    @overload
    def search(  # type: ignore[overload-overlap]
        self,
        queries: str,
        k: int = 10,
        *,
        order: float | None = None,
        spans: int | None = None,
        exact: bool = False,
        threads: int | None = None,
    ) -> list[Hit]: ...
    @overload
    def search(
        self,
        queries: Sequence[str],
        k: int = 10,
        *,
        order: float | None = None,
        spans: int | None = None,
        exact: bool = False,
        threads: int | None = None,
    ) -> list[list[Hit]]: ...
    def search(
        self,
        queries: str | Sequence[str],
        k: int = 10,
        *,
        order: float | None = None,
        spans: int | None = None,
        exact: bool = False,
        threads: int | None = None,
    ) -> list[Hit] | list[list[Hit]]:
        """The ``k`` texts most like a query, best first, or those of several queries.

        A query without a word that the model knows finds nothing, and a warning tells so.

        :param order: how much the order of words counts, from 0, the parts that do not see it, to
            1, those that do; unless given, the cosine of all numbers
        :param spans: find passages of at most this many words, in the texts that are likeliest to
            have one
        :param exact: look at all rows even if there is a graph
        """
        if isinstance(queries, str):
            return self.search(
                [queries], k, order=order, spans=spans, exact=exact, threads=threads
            )[0]
        if k < 1:
            raise ConfigError(f"k must be at least 1, not {k}")
        wanted = k if spans is None else max(MORE * k, FEW_TEXTS)
        known = self._known(queries)
        asked = [query for query, is_known in zip(queries, known, strict=True) if is_known]
        scores, rows = self._find(asked, wanted, order, exact, threads)
        hits = iter(
            self._hits(score, row)
            for score, row in zip(scores.tolist(), rows.tolist(), strict=True)
        )
        found = [next(hits) if is_known else [] for is_known in known]
        if spans is None:
            return found
        return [
            self._passages(query, some, k, spans, order, threads)
            for query, some in zip(queries, found, strict=True)
        ]

    def _known(self, queries: Sequence[str]) -> list[bool]:
        known: list[bool] = (np.diff(self.encoder.tokenizer.ids(queries).offsets) > 0).tolist()
        for query, is_known in zip(queries, known, strict=True):
            if not is_known:
                logger.warning("no word of the query %r is known to the model", query)
        return known

    def _find(
        self, texts: Sequence[str], k: int, order: float | None, exact: bool, threads: int | None
    ) -> tuple[Floats, Int64s]:
        """Scores and rows, ``(queries, k)``, best first; -1 where there are no more."""
        queries = self._blocks.queries(texts, order, threads)
        k = min(k, max(self._manifest.rows, 1))
        found: list[tuple[Floats, Int64s]] = []
        from_graph = self._manifest.graph_rows if not exact else 0
        if from_graph:
            found.append(self._from_graph(queries, k, threads))
        for number, segment in enumerate(self._segments):
            if self._firsts[number] >= from_graph and len(segment):
                found.append(self._from_segment(number, queries, len(texts), k, threads))
        if not found:
            return np.zeros((len(texts), 0), np.float32), np.zeros((len(texts), 0), np.int64)
        scores, rows = (np.hstack(each) for each in zip(*found, strict=True))
        return _best(scores, rows, k)

    def _from_segment(
        self, number: int, queries: Mapping[str, Query], count: int, k: int, threads: int | None
    ) -> tuple[Floats, Int64s]:
        segment = self._segments[number]
        blocks = [
            (*segment.block(name), segment.weights(name) if query.weighted else None, query.vectors)
            for name, query in queries.items()
        ]
        scores, rows = np.empty((count, k), np.float32), np.empty((count, k), np.int64)
        smaller = [beside for name in queries if (beside := segment.smaller(name)) is not None]
        _core.search(
            blocks, self._alive[number], scores, rows, thread_count(threads), smaller or None
        )
        rows[rows >= 0] += self._firsts[number]
        return scores, rows

    def _from_graph(
        self, queries: Mapping[str, Query], k: int, threads: int | None
    ) -> tuple[Floats, Int64s]:
        """What the graph takes for near, scored exactly."""
        count = len(next(iter(queries.values())).vectors)
        parts = []
        for name, width in self._manifest.widths.items():
            query = queries.get(name)
            if query is None:
                parts.append(np.zeros((count, width), np.float32))
            else:
                weight = self._manifest.graph_weights[name] if query.weighted else 1
                parts.append(query.vectors * np.float32(weight))
        rows = self._graph.candidates(np.hstack(parts), MORE * k, threads)
        rows[rows >= self._manifest.graph_rows] = -1
        scores = np.zeros(rows.shape, np.float32)
        for place in range(count):
            for number, local in self._groups(rows[place]):
                chosen = (rows[place] >= self._firsts[number]) & (
                    rows[place] < self._firsts[number + 1]
                )
                scores[place, chosen] = self._scores(number, local, queries, place)
                dead = np.flatnonzero(chosen)[self._alive[number][local] == 0]
                rows[place, dead] = -1
        return scores, rows

    def _groups(self, rows: Int64s) -> Iterator[tuple[int, Int64s]]:
        """Rows by their segment."""
        for number in range(len(self._segments)):
            first, end = self._firsts[number : number + 2]
            local = rows[(rows >= first) & (rows < end)] - first
            if len(local):
                yield number, local

    def _scores(
        self, number: int, local: Int64s, queries: Mapping[str, Query], place: int
    ) -> Floats:
        segment = self._segments[number]
        total = np.zeros(len(local), np.float32)
        for name, query in queries.items():
            products = segment.vectors(name, local) @ query.vectors[place]
            weights = segment.weights(name) if query.weighted else None
            total += products if weights is None else products * weights[local]
        return total

    def _hits(self, scores: list[float], rows: list[int]) -> list[Hit]:
        hits = []
        for score, row in zip(scores, rows, strict=True):
            if row < 0:
                break
            number, local = self._located(np.array([row]))
            metadata = self._segments[int(number[0])].metadata(int(local[0]))
            # The rounding of stored rows makes some a little longer than 1.
            score = min(max(score, -1.0), 1.0)
            hits.append(Hit(row, score, metadata.pop(TEXT), metadata))
        return hits

    def _passages(
        self,
        query: str,
        hits: Sequence[Hit],
        k: int,
        width: int,
        order: float | None,
        threads: int | None,
    ) -> list[Hit]:
        found: list[Hit] = []
        seen = 0
        for hit in hits:
            if len(found) >= k and seen > MOST_SPANS:
                break
            document = self.encoder.document(hit.text)
            seen += len(document) * min(width, len(document))
            span = document.best_span(query, width, order=order, threads=threads)
            found.append(hit._replace(score=span.score, span=span))
        return sorted(found, key=lambda hit: (-hit.score, hit.row))[:k]


def _best(scores: Floats, rows: Int64s, k: int) -> tuple[Floats, Int64s]:
    """The best of each query, of equal ones the first row; -1 comes last."""
    ranked = np.lexsort((rows, -scores, rows < 0), axis=-1)[:, :k]
    return np.take_along_axis(scores, ranked, 1), np.take_along_axis(rows, ranked, 1)
