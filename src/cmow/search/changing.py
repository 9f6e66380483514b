"""How an index changes: at once or not at all."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from cmow.arrays import Floats
from cmow.choices import Invalid
from cmow.durable import replaced_folder
from cmow.encoder import Encoder
from cmow.errors import ConfigError
from cmow.search.approximate import Usearch
from cmow.search.blocks import Blocks
from cmow.search.entries import Entry, Inputs, batches, read_entries
from cmow.search.manifest import NAME, Manifest
from cmow.search.opened import GRAPH, SEGMENT, OpenedIndex
from cmow.search.segment import SegmentWriter

GRAPH_ROWS = COPIED_ROWS = 4096  # at a time


class Changing(OpenedIndex):
    """An index that takes more texts, loses some, and gets a graph."""

    def add(
        self,
        texts_or_files: Inputs,
        *,
        columns: Mapping[str, Sequence[Any]] | None = None,
        column: str | None = None,
        invalid: Invalid = "fail",
        threads: int | None = None,
    ) -> range:
        """Add texts as ``build`` takes them and return the numbers of their rows.

        What is there stays as it is.
        """
        first = self._manifest.rows
        entries = read_entries(texts_or_files, columns, column=column, invalid=invalid)
        with self._changed() as fresh:
            manifest = write_segment(fresh, self._manifest, self.encoder, entries, threads)
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

    def save(self, folder: str | os.PathLike[str]) -> None:
        """Write a copy without the rows that were removed; those behind them move up.

        It has no graph until ``approximate`` is called.
        """
        folder = Path(folder)
        check_replaceable(folder)
        if folder.exists() and folder.samefile(self._folder):
            raise ConfigError(f"{folder} is what the index is read from: save it elsewhere")
        with replaced_folder(folder) as fresh:
            with SegmentWriter(fresh / SEGMENT.format(0), self._manifest.layout) as writer:
                for number, segment in enumerate(self._segments):
                    removed = np.array(self._manifest.removed, np.int64) - self._firsts[number]
                    kept = np.setdiff1d(np.arange(len(segment)), removed)
                    for start in range(0, len(kept), COPIED_ROWS):
                        writer.copy(segment, kept[start : start + COPIED_ROWS])
            replace(
                self._manifest, segments=[writer.count], removed=[], graph_rows=0, graph_weights={}
            ).write(fresh)

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

    @contextmanager
    def _changed(self) -> Iterator[Path]:
        """A folder for what is new of the index; refused if another process was faster."""
        with replaced_folder(self._folder, carry_over=True) as fresh:
            yield fresh
            if Manifest.read(self._folder) != self._manifest:
                raise ConfigError(
                    f"{self._folder}: changed by another process meanwhile: open it again"
                )


def write_segment(
    fresh: Path,
    manifest: Manifest,
    encoder: Encoder,
    entries: Iterator[Entry],
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


def check_replaceable(folder: Path) -> None:
    """Refuse to replace what is no index."""
    if not folder.exists():
        return
    if not folder.is_dir():
        raise ConfigError(f"{folder} is a file: an index is a folder, choose another name")
    if any(folder.iterdir()) and not (folder / NAME).is_file():
        raise ConfigError(f"{folder} is neither empty nor an index: choose another folder")
