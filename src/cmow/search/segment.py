"""Rows that were added together: files that are written once and mapped into memory."""

import json
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Floats, Int64s
from cmow.choices import RowStorage
from cmow.errors import ConfigError, FormatError
from cmow.numbers import TYPES, Bytes, as_bytes, meant, native, stored
from cmow.parsing import parse_json
from cmow.search.blocks import Rows
from cmow.search.entries import TEXT, Entry

ROWS, SCALES, WEIGHTS = "{}.rows", "{}.scales", "{}.weights"  # of a block
BYTES = ("{}.bytes", "{}.byte-scales", "{}.byte-errors")  # beside rows of floats
KNOWN, METADATA, OFFSETS = "known.uint8", "metadata.jsonl", "metadata.offsets"


@dataclass(frozen=True)
class Layout:
    """What all segments of an index have in common."""

    widths: Mapping[str, int]  # of the blocks
    storage: RowStorage

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        return len(self.widths) > 1

    def files(self, rows: int) -> Iterator[tuple[str, str, tuple[int, ...]]]:
        """Name, type and shape of each file but the metadata."""
        for name, width in self.widths.items():
            yield ROWS.format(name), TYPES[self.storage], (rows, width)
            if self.storage == "int8":
                yield SCALES.format(name), "<f4", (rows,)
            else:
                numbers, *others = BYTES
                yield numbers.format(name), "i1", (rows, width)
                yield from ((other.format(name), "<f4", (rows,)) for other in others)
            if self.weighted:
                yield WEIGHTS.format(name), "<f4", (rows,)
        yield KNOWN, "u1", (rows,)
        yield OFFSETS, "<i8", (rows + 1,)


class SegmentWriter:
    """Writes rows one behind the other."""

    def __init__(self, folder: Path, layout: Layout) -> None:
        folder.mkdir()
        self._layout, self._stack = layout, ExitStack()
        self._files: dict[str, IO[bytes]] = {
            name: self._stack.enter_context((folder / name).open("wb"))
            for name in (*(name for name, _, _ in layout.files(0)), METADATA)
        }
        self._files[OFFSETS].write(np.zeros(1, "<i8").data)
        self.count = self._size = 0

    def add(self, entries: list[Entry], rows: Rows) -> None:
        """Append rows, and what is known of them."""
        for name, block in rows.blocks.items():
            numbers, scales = stored(block, self._layout.storage)
            self._files[ROWS.format(name)].write(np.ascontiguousarray(numbers).data)
            if scales is not None:
                self._files[SCALES.format(name)].write(scales.astype("<f4").data)
            else:
                for file, array in zip(BYTES, as_bytes(numbers), strict=True):
                    self._files[file.format(name)].write(np.ascontiguousarray(array).data)
        for name, weights in rows.weights.items():
            self._files[WEIGHTS.format(name)].write(weights.astype("<f4").data)
        self._files[KNOWN].write(rows.known.astype(np.uint8).data)
        for entry in entries:
            self._add_line(_line(entry))

    def copy(self, segment: "Segment", rows: Int64s) -> None:
        """Append rows of another segment of the same layout."""
        for name, array in segment.arrays.items():
            if name != OFFSETS:
                self._files[name].write(np.ascontiguousarray(array[rows]).data)
        for row in rows.tolist():
            self._add_line(segment.line(row))

    def _add_line(self, data: bytes) -> None:
        self._files[METADATA].write(data)
        self._size += len(data)
        self._files[OFFSETS].write(np.array([self._size], "<i8").data)
        self.count += 1

    def __enter__(self) -> "SegmentWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._stack.close()


class Segment:
    """Some rows of an index; nothing is read until it is needed."""

    def __init__(self, folder: Path, layout: Layout, count: int) -> None:
        self.count = count
        self._folder = folder
        self.arrays = {
            name: _map(folder / name, kind, shape) for name, kind, shape in layout.files(count)
        }
        self._metadata = _map(folder / METADATA, "u1", (int(self.arrays[OFFSETS][-1]),))
        self.known = self.arrays[KNOWN]

    def __len__(self) -> int:
        return self.count

    def block(self, name: str) -> tuple[NDArray[Any], Floats | None]:
        """The numbers of a block as the core takes them, and their scales."""
        return native(self.arrays[ROWS.format(name)]), self.arrays.get(SCALES.format(name))

    def smaller(self, name: str) -> Bytes | None:
        """The same in int8, if they are not."""
        if BYTES[0].format(name) not in self.arrays:
            return None
        return Bytes(*(self.arrays[file.format(name)] for file in BYTES))

    def weights(self, name: str) -> Floats | None:
        """What the rows of a block count in the embedding."""
        return self.arrays.get(WEIGHTS.format(name))

    def vectors(self, name: str, rows: slice | Int64s) -> Floats:
        """Some rows of a block as float32."""
        scales = self.arrays.get(SCALES.format(name))
        chosen = self.arrays[ROWS.format(name)][rows]
        return meant(chosen, None if scales is None else scales[rows])

    def line(self, row: int) -> bytes:
        """What is known of a row as it is stored."""
        begin, end = self.arrays[OFFSETS][row : row + 2].tolist()
        if not 0 <= begin <= end <= len(self._metadata):
            raise FormatError(f"{self._folder / OFFSETS}: damaged; rebuild the index")
        return self._metadata[begin:end].tobytes()

    def metadata(self, row: int) -> dict[str, Any]:
        """What is known of a row, its text included."""
        line = self.line(row)
        try:
            value = parse_json(line)
            return {TEXT: str(value.pop(TEXT)), **value}
        except (FormatError, KeyError, AttributeError):
            raise FormatError(f"{self._folder / METADATA}: damaged; rebuild the index") from None


def _line(entry: Entry) -> bytes:
    try:
        line = json.dumps({TEXT: entry.text, **entry.metadata}, ensure_ascii=False)
    except (TypeError, ValueError) as error:
        raise ConfigError(f"columns hold what JSON can hold: {error}") from error
    return line.encode(errors="backslashreplace") + b"\n"


def _map(path: Path, kind: str, shape: tuple[int, ...]) -> NDArray[Any]:
    expected = int(np.prod(shape, dtype=np.int64)) * np.dtype(kind).itemsize
    if not path.is_file():
        raise FormatError(f"{path} is missing; rebuild the index")
    size = path.stat().st_size
    if size != expected:
        raise FormatError(f"{path}: {size} bytes instead of {expected}; rebuild the index")
    if expected == 0:
        return np.zeros(shape, kind)
    return np.asarray(np.memmap(path, kind, "r", shape=shape))
