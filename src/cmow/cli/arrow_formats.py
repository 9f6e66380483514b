"""Parquet and Arrow files that embeddings are written to, beside the columns of their texts."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from cmow.arrays import Embeddings
from cmow.arrow_columns import with_embeddings
from cmow.choices import RowStorage
from cmow.corpus import Batch
from cmow.errors import FormatError, MissingExtraError

GROUP_BYTES = 1 << 25  # of a row group of Parquet: what is in memory at a time


class ArrowWriter:
    """Writes a table with a column of embeddings, piece by piece."""

    def __init__(
        self, file: BinaryIO, *, kind: str, dim: int, into: str, storage: RowStorage
    ) -> None:
        try:
            import pyarrow
            from pyarrow import ipc, parquet
        except ImportError as error:
            raise MissingExtraError("pyarrow", "arrow") from error
        self._arrow, self._ipc, self._parquet = pyarrow, ipc, parquet
        self._sink = _Sink(file)
        self._kind, self._dim, self._into, self._storage = kind, dim, into, storage
        self._schema: Any = None  # without embeddings
        self._writer: Any = None
        self._pending: list[Any] = []

    def write(self, batch: Batch, embeddings: Embeddings) -> None:
        """Add rows."""
        rows = self._rows(batch)
        whole = with_embeddings(rows, embeddings, into=self._into, storage=self._storage)
        self._pending.append(whole)
        if self._writer is None:
            self._open(whole.schema)
        if self._kind == "arrow" or sum(rows.nbytes for rows in self._pending) >= GROUP_BYTES:
            self._flush()

    def finish(self) -> None:
        """Write the end, without which the file cannot be read."""
        import numpy as np

        if self._writer is None:  # no texts: a table without rows
            none = Batch([], [], "", 0)
            self.write(none, np.empty((0, self._dim), np.float32))
        self._flush()
        with self._sink.taking():
            self._writer.close()

    def _open(self, schema: Any) -> None:
        with self._sink.taking():
            file = self._arrow.PythonFile(self._sink, "w")
            if self._kind == "arrow":
                self._writer = self._ipc.new_file(file, schema)
            else:  # no two numbers of embeddings are the same: a dictionary would be in vain
                self._writer = self._parquet.ParquetWriter(
                    file, schema, use_dictionary=self._schema.names
                )

    def _flush(self) -> None:
        if self._pending:
            table = self._arrow.Table.from_batches(self._pending)
            self._pending.clear()
            with self._sink.taking():
                self._writer.write_table(table)

    def _rows(self, batch: Batch) -> Any:
        """The rows of a batch, of the same columns as those before."""
        rows = batch.rows
        if isinstance(rows, list):
            rows = self._from_objects(rows, batch.source)
        elif self._kind == "arrow":
            rows = self._without_dictionaries(rows)
        if self._schema is None:
            self._schema = rows.schema
        if not rows.schema.equals(self._schema):
            raise FormatError(
                f"{batch.source}: the columns are {_listed(rows.schema)}, and those of the files "
                f"before {_listed(self._schema)}: encode them one by one"
            )
        return rows

    def _without_dictionaries(self, rows: Any) -> Any:
        """Batches of Parquet may have a dictionary each, of which a file of Arrow has one only."""
        plain = rows.schema
        for number, field in enumerate(rows.schema):
            if self._arrow.types.is_dictionary(field.type):
                plain = plain.set(number, field.with_type(field.type.value_type))
        return rows.cast(plain)

    def _from_objects(self, objects: list[dict[str, Any]], source: str) -> Any:
        """Columns of values, of the types that they had in the first batch."""
        known = None if self._schema is None else {each.name: each.type for each in self._schema}
        names = dict.fromkeys(name for value in objects for name in value)
        if known is not None and (new := names.keys() - known.keys()):
            raise FormatError(
                f"{source}: rows further down have {min(new)!r} as well: write jsonl instead"
            )
        arrays = {}
        for name in known or names:
            values = [value.get(name) for value in objects]
            try:
                arrays[name] = self._arrow.array(values, known[name] if known else None)
            except self._arrow.ArrowException as error:
                reason = str(error).partition("\n")[0]
                raise FormatError(
                    f"{source}: not all of {name!r} are of one type ({reason}): write jsonl instead"
                ) from error
        return self._arrow.RecordBatch.from_pydict(arrays)


class _Sink:
    """Takes bytes only while it is told to.

    A writer of pyarrow that goes away before its end writes one all the same, and what an accident
    left of a file would look complete.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._taking = False
        self.closed = False

    @contextmanager
    def taking(self) -> Iterator[None]:
        """While it takes bytes."""
        self._taking = True
        try:
            yield
        finally:
            self._taking = False

    def write(self, data: Any) -> int:
        """Pass bytes on."""
        return self._file.write(data) if self._taking else len(data)

    def flush(self) -> None:
        """Pass on what is held back."""
        if self._taking:
            self._file.flush()

    def close(self) -> None:
        """The file is closed by whoever opened it."""


def _listed(schema: Any) -> str:
    return ", ".join(f"{field.name} ({field.type})" for field in schema)
