"""Files that embeddings are written to, block by block."""

import io
import json
from collections.abc import Sequence
from typing import BinaryIO, Protocol

import numpy as np

from cmow.arrays import Embeddings
from cmow.cli.choices import Format


class Writer(Protocol):
    """Writes embeddings to a file, in the order of the texts."""

    def write(self, texts: Sequence[str], embeddings: Embeddings) -> None: ...
    def finish(self) -> None: ...


def make_writer(name: Format, file: BinaryIO, *, dim: int) -> Writer:
    """The writer of a format; that of npy needs a file in which it can go back."""
    if name == "npy":
        return NpyWriter(file, dim)
    return TsvWriter(file, dim) if name == "tsv" else JsonLinesWriter(file, dim)


class NpyWriter:
    """NumPy's format, whose beginning tells the number of rows, which only the end knows."""

    def __init__(self, file: BinaryIO, dim: int) -> None:
        self._file, self._dim, self._rows = file, dim, 0
        self._start = file.tell()
        # Zeros, and not a header for no rows: what a killed process leaves must not be readable.
        file.write(bytes(len(self._header())))

    def write(self, texts: Sequence[str], embeddings: Embeddings) -> None:
        """Add rows."""
        self._file.write(np.ascontiguousarray(embeddings, "<f4").data)
        self._rows += len(texts)

    def finish(self) -> None:
        """Write the beginning."""
        self._file.seek(self._start)
        self._file.write(self._header())
        self._file.seek(0, io.SEEK_END)

    def _header(self) -> bytes:
        """The beginning of the file, of the same length for any number of rows."""
        header = io.BytesIO()
        shape = (self._rows, self._dim)
        np.lib.format.write_array_header_1_0(
            header, {"descr": "<f4", "fortran_order": False, "shape": shape}
        )
        return header.getvalue()


class TsvWriter:
    """A line a text: the numbers with tabs between them."""

    def __init__(self, file: BinaryIO, dim: int) -> None:
        self._file = file
        self._line = _numbers(dim, "\t") + "\n"

    def write(self, texts: Sequence[str], embeddings: Embeddings) -> None:  # noqa: ARG002
        """Add lines."""
        for row in embeddings.tolist():
            self._file.write((self._line % tuple(row)).encode())

    def finish(self) -> None:
        """There is no end to be marked."""


class JsonLinesWriter:
    """A line a text: an object with the text and its embedding."""

    def __init__(self, file: BinaryIO, dim: int) -> None:
        self._file = file
        self._line = '{"text": %s, "embedding": [' + _numbers(dim, ", ") + "]}\n"

    def write(self, texts: Sequence[str], embeddings: Embeddings) -> None:
        """Add lines."""
        for text, row in zip(texts, embeddings.tolist(), strict=True):
            line = self._line % (json.dumps(text, ensure_ascii=False), *row)
            self._file.write(line.encode())

    def finish(self) -> None:
        """There is no end to be marked."""


def _numbers(dim: int, between: str) -> str:
    return between.join(["%.9g"] * dim)  # nine digits tell float32 numbers apart
