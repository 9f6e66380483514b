"""Parquet and Arrow files as batches of rows, some thousands at a time."""

import os
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from mmap import ACCESS_READ, mmap
from typing import IO, Any

from cmow.errors import FormatError, MissingExtraError

PARQUET = b"PAR1"
ARROW = b"ARROW1"
ARROW_STREAM = b"\xff\xff\xff\xff"
MAGIC = {PARQUET: "Parquet", ARROW: "Arrow", ARROW_STREAM: "Arrow"}
LONGEST_MAGIC = max(map(len, MAGIC))
STRING_VIEW = "string_view"  # which older versions of pyarrow do not know
_ROWS = 4096  # of a file at a time
_Parts = Iterator[tuple[Any, float]]  # batches, with how much of the file is read by then


def arrow_kind(start: bytes) -> str | None:
    """What a file is that starts so, or None if it is neither Parquet nor Arrow."""
    return next((kind for magic, kind in MAGIC.items() if start.startswith(magic)), None)


class MissingColumnError(FormatError):
    """A table has no column of a name."""


class ArrowTable:
    """A file of Parquet, or of Arrow (also known as Feather) with or without an index at its end.

    :param file: can be read from anywhere
    """

    def __init__(self, file: IO[bytes], source: str, start: bytes) -> None:
        self.source = source
        self.number = 0  # of the latest row
        self.read = 0
        self._file = file
        self._start = start

    def texts(self, column: str) -> Iterator[str]:
        """The texts of a column."""
        for batch in self.batches([column], texts=column):
            for text in texts_of(batch, column, self.source):
                self.number += 1
                yield text

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The values of some columns."""
        for batch in self.batches(columns):
            lists = [batch.column(column).to_pylist() for column in columns]
            for values in zip(*lists, strict=True):
                self.number += 1
                yield values

    def batches(
        self, columns: Sequence[str] | None = None, *, texts: str | None = None
    ) -> Iterator[Any]:
        """Batches of rows as they are in the file.

        :param columns: which to read, unless all
        :param texts: a column that must hold texts
        """
        pyarrow = _pyarrow()
        kind = arrow_kind(self._start)
        try:
            size = self._file.seek(0, os.SEEK_END)
            self._file.seek(0)
            schema, parts = (_parquet if kind == "Parquet" else _arrow)(self._file, columns)
            for column in columns or ():
                check_column(schema, column, self.source)
            if texts is not None:
                check_texts(schema, texts, self.source)
            batch = None
            for batch, share in parts:
                self.read = int(size * share)
                yield batch
            if batch is None:  # a table without rows has columns all the same
                yield pyarrow.RecordBatch.from_pylist([], schema=schema)
        except FormatError:
            raise
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            reason = str(error).partition("\n")[0]
            raise FormatError(f"{self.source}: damaged {kind} data ({reason})") from error


def check_column(schema: Any, column: str, source: str) -> None:
    """Refuse a column that is not there."""
    if column not in schema.names:
        raise MissingColumnError(f"{source}: {no_column(column, schema.names)}")


def check_texts(schema: Any, column: str, source: str) -> None:
    """Refuse a column that is not there or holds no texts."""
    check_column(schema, column, source)
    types = _pyarrow().types
    kind = schema.field(column).type
    values = kind.value_type if types.is_dictionary(kind) else kind
    if not (types.is_string(values) or types.is_large_string(values) or str(values) == STRING_VIEW):
        raise FormatError(f"{source}: the column {column!r} holds {kind}, not text")


def texts_of(batch: Any, column: str, source: str) -> list[str]:
    """The texts of a batch's column; what is missing is an empty text."""
    check_texts(batch.schema, column, source)
    return [text or "" for text in batch.column(column).to_pylist()]


def no_column(column: str, names: Iterable[str]) -> str:
    """What to say of a column that is not among those of some names."""
    return f"there is no {column!r} among {shortened(', '.join(names))}"


def shortened(value: object) -> str:
    """A value for a message."""
    shown = value if isinstance(value, str) else repr(value)
    return shown if len(shown) <= 100 else f"{shown[:100]} …"


def _parquet(file: IO[bytes], columns: Sequence[str] | None) -> tuple[Any, _Parts]:
    from pyarrow import parquet

    opened = parquet.ParquetFile(file)

    def parts() -> _Parts:
        rows = 0
        for batch in opened.iter_batches(_ROWS, columns=columns):
            rows += len(batch)
            yield batch, rows / opened.metadata.num_rows

    return opened.schema_arrow, parts()


def _arrow(file: IO[bytes], columns: Sequence[str] | None) -> tuple[Any, _Parts]:
    """A batch may be as large as the file: on a disk it is mapped, and looked at piece by piece."""
    from pyarrow import BufferReader, ipc, py_buffer

    content = (
        file.read() if isinstance(file, BytesIO) else mmap(file.fileno(), 0, access=ACCESS_READ)
    )
    reader = BufferReader(py_buffer(content))
    if content[: len(ARROW)] == ARROW:
        opened = ipc.open_file(reader)
        count = opened.num_record_batches
        batches = ((opened.get_batch(number), (number + 1) / count) for number in range(count))
        return opened.schema, _pieces(batches, columns)
    stream = ipc.open_stream(reader)
    parts = ((batch, reader.tell() / reader.size()) for batch in stream)
    return stream.schema, _pieces(parts, columns)


def _pieces(parts: _Parts, columns: Sequence[str] | None) -> _Parts:
    for batch, share in parts:
        chosen = batch if columns is None else batch.select(list(columns))
        for start in range(0, len(chosen), _ROWS):
            yield chosen.slice(start, _ROWS), share


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise MissingExtraError("pyarrow", "arrow") from error
    return pyarrow
