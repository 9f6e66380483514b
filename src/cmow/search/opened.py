"""What an opened index holds, and where its rows are."""

from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Int64s
from cmow.encoder import Encoder
from cmow.errors import FormatError
from cmow.search.approximate import Usearch
from cmow.search.blocks import Blocks
from cmow.search.manifest import NAME, Manifest
from cmow.search.segment import Segment

SEGMENT, GRAPH = "segment-{}", "graph.usearch"


class OpenedIndex:
    """Segments that are mapped into memory, and which of their rows may be found."""

    def __init__(self, folder: Path, encoder: Encoder, manifest: Manifest) -> None:
        self._folder, self.encoder = folder, encoder
        self._blocks = Blocks(encoder)
        self._take(manifest)

    def __len__(self) -> int:
        """How many rows can be found or could if they had a known word."""
        return self._manifest.rows - len(self._manifest.removed)

    def __repr__(self) -> str:
        return f"Index({len(self):,} texts, {self.encoder!r})"

    def _take(self, manifest: Manifest) -> None:
        if manifest.widths != self._blocks.widths:
            raise FormatError(f"{self._folder / NAME}: damaged; rebuild the index")
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

    def _located(self, rows: Int64s) -> tuple[NDArray[Any], NDArray[Any]]:
        """The segments of rows, and their places there."""
        numbers = np.searchsorted(self._firsts, rows, side="right") - 1
        return numbers, rows - self._firsts[numbers]
