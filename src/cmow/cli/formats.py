"""Files that embeddings are written to, block by block."""

import io
import json
from typing import BinaryIO, Protocol

import numpy as np

from cmow.arrays import Embeddings
from cmow.arrow_columns import refuse_taken
from cmow.choices import INTO, RowStorage
from cmow.cli.choices import Format
from cmow.corpus import Batch
from cmow.errors import ConfigError
from cmow.numbers import TYPES


class Writer(Protocol):
    """Writes embeddings to a file, in the order of the texts."""

    def write(self, batch: Batch, embeddings: Embeddings) -> None: ...
    def finish(self) -> None: ...


def make_writer(
    name: Format,
    file: BinaryIO,
    *,
    dim: int,
    into: str = INTO,
    storage: RowStorage = "float32",
) -> Writer:
    """The writer of a format; that of npy needs a file in which it can go back.

    :param into: the column of embeddings, in formats whose columns have names
    """
    if name in ("parquet", "arrow"):
        from cmow.cli.arrow_formats import ArrowWriter

        return ArrowWriter(file, kind=name, dim=dim, into=into, storage=storage)
    if storage == "int8":
        raise ConfigError("rows of int8 have a scale each: write parquet or arrow, or float16")
    if name == "npy":
        return NpyWriter(file, dim, storage)
    return TsvWriter(file, dim) if name == "tsv" else JsonLinesWriter(file, dim, into)


class NpyWriter:
    """NumPy's format, whose beginning tells the number of rows, which only the end knows."""

    def __init__(self, file: BinaryIO, dim: int, storage: RowStorage = "float32") -> None:
        self._file, self._dim, self._rows = file, dim, 0
        self._type = TYPES[storage]
        self._start = file.tell()
        # Zeros, and not a header for no rows: what a killed process leaves must not be readable.
        file.write(bytes(len(self._header())))

    def write(self, batch: Batch, embeddings: Embeddings) -> None:
        """Add rows."""
        self._file.write(np.ascontiguousarray(embeddings, self._type).data)
        self._rows += len(batch.texts)

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
            header, {"descr": self._type, "fortran_order": False, "shape": shape}
        )
        return header.getvalue()


class TsvWriter:
    """A line a text: the numbers with tabs between them."""

    def __init__(self, file: BinaryIO, dim: int) -> None:
        self._file = file
        self._line = _numbers(dim, "\t") + "\n"

    def write(self, batch: Batch, embeddings: Embeddings) -> None:  # noqa: ARG002
        """Add lines."""
        for row in embeddings.tolist():
            self._file.write((self._line % tuple(row)).encode())

    def finish(self) -> None:
        """There is no end to be marked."""


class JsonLinesWriter:
    """A line a text: an object with its columns, the text among them, and its embedding."""

    def __init__(self, file: BinaryIO, dim: int, into: str = INTO) -> None:
        self._file = file
        self._into = into
        name = json.dumps(into, ensure_ascii=False).replace("%", "%%")
        self._line = f"%s, {name}: [{_numbers(dim, ', ')}]}}\n"

    def write(self, batch: Batch, embeddings: Embeddings) -> None:
        """Add lines."""
        for row, numbers in zip(batch.objects(), embeddings.tolist(), strict=True):
            refuse_taken([self._into], list(row))
            start = json.dumps(row, ensure_ascii=False, default=str).removesuffix("}")
            self._file.write((self._line % (start, *numbers)).encode())

    def finish(self) -> None:
        """There is no end to be marked."""


def _numbers(dim: int, between: str) -> str:
    return between.join(["%.9g"] * dim)  # nine digits tell float32 numbers apart
