"""An index on disk: texts by what they are like."""

import logging
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from cmow import _core
from cmow.arrays import Floats, Int64s
from cmow.choices import Invalid, RowStorage
from cmow.durable import read_whole, replaced_folder
from cmow.encoder import Encoder, Span, fingerprint, load
from cmow.errors import ConfigError, FormatError
from cmow.search.approximate import Usearch
from cmow.search.blocks import Blocks, Query
from cmow.search.entries import TEXT, Inputs, batches, read_entries
from cmow.search.manifest import NAME, Manifest
from cmow.search.numbers import ROW_STORAGES
from cmow.search.segment import Segment, SegmentWriter
from cmow.threads import thread_count

SEGMENT, GRAPH = "segment-{}", "graph.usearch"
GRAPH_ROWS = 4096  # that the graph is given at a time
MORE = 10  # as many candidates are looked at as are wanted, where only some can be looked at

logger = logging.getLogger(__name__)


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


class Index:
    """Texts that are found by what they are like; made by ``build`` and ``open``."""

    def __init__(self, folder: Path, encoder: Encoder, manifest: Manifest) -> None:
        self._folder, self.encoder = folder, encoder
        self._blocks = Blocks(encoder)
        self._take(manifest)

    # ---- making ---------------------------------------------------------------------------------

    @classmethod
    def build(
        cls,
        encoder: Encoder | str | os.PathLike[str],
        texts_or_files: Inputs,
        folder: str | os.PathLike[str],
        *,
        columns: Mapping[str, Sequence[Any]] | None = None,
        storage: RowStorage = "float16",
        approximate: bool = False,
        invalid: Invalid = "fail",
        threads: int | None = None,
    ) -> "Index":
        """Write an index, or replace one.

        :param encoder: an encoder, or the folder of a model, which the index then remembers
        :param texts_or_files: a path, folder, glob or "-" for stdin, a text a line; several of them
            as Path objects; or any iterable of strings, which are the texts
        :param columns: what is known of each text, by name
        :param storage: of the rows: float32, float16 or int8
        :param approximate: search by a graph, which looks at some rows only
        """
        model = None
        if not isinstance(encoder, Encoder):
            model = _remembered(encoder)
            encoder = load(encoder)
        if storage not in ROW_STORAGES:
            raise ConfigError(f"storage must be one of {', '.join(ROW_STORAGES)}, not {storage!r}")
        folder = Path(folder)
        _check_replaceable(folder)
        widths = Blocks(encoder).widths
        manifest = Manifest(fingerprint(encoder), model, storage, widths)
        with replaced_folder(folder) as fresh:
            manifest = _write_segment(
                fresh, manifest, encoder, read_entries(texts_or_files, columns, invalid=invalid),
                threads,
            )  # fmt: skip
        index = cls(folder, encoder, manifest)
        if approximate:
            index.approximate(threads=threads)
        return index

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        encoder: Encoder | str | os.PathLike[str] | None = None,
    ) -> "Index":
        """Open an index; its rows stay on disk and are shared with other processes.

        :param encoder: the one that the index was built with, unless it remembers the folder
        """
        return read_whole(Path(folder), lambda path: cls._read(path, encoder))

    @classmethod
    def _read(cls, folder: Path, encoder: Encoder | str | os.PathLike[str] | None) -> "Index":
        manifest = Manifest.read(folder)
        if encoder is None:
            if manifest.model is None:
                raise ConfigError(f"{folder}: the index does not say where its model is: give it")
            encoder = manifest.model
        if not isinstance(encoder, Encoder):
            encoder = load(encoder)
        if fingerprint(encoder) != manifest.fingerprint:
            raise ConfigError(
                f"{folder}: built with another model than {encoder.shape} of "
                f"{len(encoder.vocabulary):,} words that was given: give that one, or build anew"
            )
        return cls(folder, encoder, manifest)

    def __len__(self) -> int:
        """How many rows can be found or could if they had a known word."""
        return self._manifest.rows - len(self._manifest.removed)

    def __repr__(self) -> str:
        return f"Index({len(self):,} texts, {self.encoder!r})"

    # ---- changing -------------------------------------------------------------------------------

    def add(
        self,
        texts_or_files: Inputs,
        *,
        columns: Mapping[str, Sequence[Any]] | None = None,
        invalid: Invalid = "fail",
        threads: int | None = None,
    ) -> range:
        """Add texts and return the numbers of their rows; what is there stays as it is."""
        first = self._manifest.rows
        entries = read_entries(texts_or_files, columns, invalid=invalid)
        with self._changed() as fresh:
            manifest = _write_segment(fresh, self._manifest, self.encoder, entries, threads)
        self._take(manifest)
        return range(first, manifest.rows)

    def remove(self, rows: Iterable[int]) -> None:
        """Let rows not be found any more; others keep their numbers."""
        chosen = {int(row) for row in rows}
        beyond = [row for row in chosen if not 0 <= row < self._manifest.rows]
        if beyond:
            raise ConfigError(f"there is no row {beyond[0]}: the index has {self._manifest.rows}")
        removed = sorted(chosen.union(self._manifest.removed))
        manifest = replace(self._manifest, removed=removed)
        with self._changed() as fresh:
            manifest.write(fresh)
        self._take(manifest)

    def approximate(self, *, threads: int | None = None) -> None:
        """Have searches look at some rows only, by a graph of all rows that there are now.

        Rows that are added later are looked at one by one, until this is called again.
        """
        weights = {name: self._mean_weight(name) for name in self._manifest.widths}
        rows = self._manifest.rows
        manifest = replace(self._manifest, graph_rows=rows, graph_weights=weights)
        with self._changed() as fresh:
            width = sum(self._manifest.widths.values())
            Usearch.build(fresh / GRAPH, width, self._whole_rows(), threads=threads)
            manifest.write(fresh)
        self._take(manifest)

    def _mean_weight(self, name: str) -> float:
        found = [segment.weights(name) for segment in self._segments if len(segment)]
        given = [weights.mean() for weights in found if weights is not None]
        return float(np.mean(given)) if given else 1.0

    def _whole_rows(self) -> Iterator[Floats]:
        """The blocks of all rows side by side, some rows at a time."""
        for segment in self._segments:
            for start in range(0, len(segment), GRAPH_ROWS):
                some = slice(start, start + GRAPH_ROWS)
                yield np.hstack([segment.vectors(name, some) for name in self._manifest.widths])

    # ---- searching ------------------------------------------------------------------------------

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
        :param spans: find passages of at most so many words, in the texts that are likeliest to
            have one
        :param exact: look at all rows even if there is a graph
        """
        if isinstance(queries, str):
            return self.search(
                [queries], k, order=order, spans=spans, exact=exact, threads=threads
            )[0]
        if k < 1:
            raise ConfigError(f"k must be at least 1, not {k}")
        wanted = k if spans is None else MORE * k
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

    # ---- inside ---------------------------------------------------------------------------------

    def _take(self, manifest: Manifest) -> None:
        if manifest.widths != self._blocks.widths:
            raise FormatError(f"{self._folder / NAME}: damaged; build the index anew")
        self._manifest = manifest
        self._segments = [
            Segment(self._folder / SEGMENT.format(number), manifest.layout, count)
            for number, count in enumerate(manifest.segments)
        ]
        self._firsts: Int64s = np.cumsum([0, *manifest.segments], dtype=np.int64)
        self._alive = [np.array(segment.known) for segment in self._segments]
        for number, row in zip(*self._located(np.array(manifest.removed, np.int64)), strict=True):
            self._alive[number][row] = 0
        self.__dict__.pop("_graph", None)

    @cached_property
    def _graph(self) -> Usearch:
        return Usearch(self._folder / GRAPH)

    @contextmanager
    def _changed(self) -> Iterator[Path]:
        """A folder for what is new of the index; refused if another process was faster."""
        with replaced_folder(self._folder, carry_over=True) as fresh:
            yield fresh
            if Manifest.read(self._folder) != self._manifest:
                raise ConfigError(
                    f"{self._folder}: changed by another process meanwhile: open it again"
                )

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
        _core.search(blocks, self._alive[number], scores, rows, thread_count(threads))
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

    def _located(self, rows: Int64s) -> tuple[NDArray[Any], NDArray[Any]]:
        """The segments of rows, and their places there."""
        numbers = np.searchsorted(self._firsts, rows, side="right") - 1
        return numbers, rows - self._firsts[numbers]

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
        found = []
        for hit in hits:
            document = self.encoder.document(hit.text)
            span = document.best_span(query, width, order=order, threads=threads)
            found.append(hit._replace(score=span.score, span=span))
        return sorted(found, key=lambda hit: (-hit.score, hit.row))[:k]


def _best(scores: Floats, rows: Int64s, k: int) -> tuple[Floats, Int64s]:
    """The best of each query, of equal ones the first row; -1 comes last."""
    ranked = np.lexsort((rows, -scores, rows < 0), axis=-1)[:, :k]
    return np.take_along_axis(scores, ranked, 1), np.take_along_axis(rows, ranked, 1)


def _write_segment(
    fresh: Path,
    manifest: Manifest,
    encoder: Encoder,
    entries: Iterator[Any],
    threads: int | None,
) -> Manifest:
    """Write the next segment and the page that knows it."""
    blocks = Blocks(encoder)
    folder = fresh / SEGMENT.format(len(manifest.segments))
    with SegmentWriter(folder, manifest.layout) as writer:
        for batch in batches(entries):
            writer.add(batch, blocks.rows([entry.text for entry in batch], threads))
    manifest = replace(manifest, segments=[*manifest.segments, writer.count])
    manifest.write(fresh)
    return manifest


def _remembered(model: str | os.PathLike[str]) -> str:
    """A folder as it is found again from elsewhere; a name that is none stays as it is."""
    path = Path(model)
    return str(path.resolve()) if path.exists() else str(model)


def _check_replaceable(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ConfigError(f"{folder} is a file: an index is a folder, choose another name")
    if any(folder.iterdir()) and not (folder / NAME).is_file():
        raise ConfigError(f"{folder} is neither empty nor an index: choose another folder")
