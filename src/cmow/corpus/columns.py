"""Columns of CSV, TSV, JSON lines and Parquet: one as texts, or several as they are.

The content tells which of them a file is: Parquet by its first bytes, JSON by a brace. Else the
first line names the columns, and what stands between their names separates all columns. TSV knows
no quotes; in CSV they may hold separators and line ends.
"""

import csv
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from cmow.corpus.readers import Block, blocks_of, blocks_of_texts
from cmow.errors import FormatError, MissingExtraError, path_in_errors
from cmow.parsing import parse_json

SEPARATORS = (",", "\t", ";")
PARQUET = b"PAR1"
_ROWS = 4096  # of a Parquet file at a time


def column_blocks(
    file: IO[bytes], source: str, *, column: str, paragraphs: bool = False
) -> Iterator[Block]:
    """The texts of a column as lines, of which the first is number 1.

    :param file: can be read from anywhere
    :param paragraphs: a text is to be split into sentences
    """
    table = _opened(file, source)
    texts = table.texts(column)
    return blocks_of_texts(
        texts, f"{source}[{column}]", paragraphs=paragraphs, read=lambda: table.read
    )


class MissingColumnError(FormatError):
    """A table has no column of a name."""


class Row(NamedTuple):
    """Some columns of a table."""

    number: int  # of its last line, or of the row of a Parquet file, counted from 1
    values: tuple[Any, ...]  # of CSV and TSV: texts


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    """The columns of a file, row by row."""
    with path_in_errors(path), path.open("rb") as file:
        table = _opened(file, str(path))
        for values in table.rows(columns):
            yield Row(table.number, values)


def _opened(file: IO[bytes], source: str) -> "_Parquet | _Lines":
    start = file.read(len(PARQUET))
    file.seek(0)
    return _Parquet(file, source) if start == PARQUET else _Lines(file, source)


class _Lines:
    """A file of lines, packed or not."""

    def __init__(self, file: IO[bytes], source: str) -> None:
        self.source = source
        self.number = 0  # of the latest line
        self.read = 0  # bytes of the file
        self._lines = self._decoded(file)

    def _decoded(self, file: IO[bytes]) -> Iterator[str]:
        for block in blocks_of(file, self.source):
            self.read += block.read
            # What is not UTF-8 passes through to where all lines are looked at.
            for line in block.data.decode(errors="surrogateescape").split("\n")[:-1]:
                self.number += 1
                yield f"{line}\n"

    def texts(self, column: str) -> Iterator[str]:
        """The texts of a column."""
        for (value,) in self.rows([column]):
            if value is not None and not isinstance(value, str):
                raise self._fault(f"{column!r} is {_shortened(value)}, not a text")
            yield value or ""

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The values of some columns."""
        first = next(self._lines, "")
        if first.lstrip()[:1] in ("{", "["):
            yield from self._of_objects(first, columns)
        elif first:
            yield from self._of_lines(first, columns)

    def _of_objects(self, first: str, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        line: str | None = first
        while line is not None:
            if line.strip():
                value = self._object(line)
                yield tuple(self._value(value, column) for column in columns)
            line = next(self._lines, None)

    def _object(self, line: str) -> Mapping[str, Any]:
        try:
            value = parse_json(line)
        except FormatError as error:
            raise self._fault(f"not valid JSON ({error})") from None
        if not isinstance(value, dict):
            raise self._fault("not a JSON object: write one a line")
        return value

    def _value(self, value: Mapping[str, Any], column: str) -> Any:
        if column not in value:
            raise self._missing(column, value)
        return value[column]

    def _of_lines(self, first: str, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
        headers = {separator: _names(first, separator) for separator in SEPARATORS}
        separator = max(
            SEPARATORS,
            key=lambda each: (set(columns) <= set(headers[each]), len(headers[each])),
        )
        names = headers[separator]
        for column in columns:
            if column not in names:
                raise self._missing(column, names)
        places = [names.index(column) for column in columns]
        for row in self._rows(separator):
            if len(row) != len(names):
                raise self._fault(f"{len(row)} columns, but the first line names {len(names)}")
            yield tuple(row[place] for place in places)

    def _rows(self, separator: str) -> Iterator[list[str]]:
        try:
            for row in csv.reader(self._lines, **_dialect(separator)):
                if row:
                    yield row
        except csv.Error as error:
            raise self._fault(f"{error}; is a quote not closed?") from None

    def _missing(self, column: str, names: Iterable[str]) -> MissingColumnError:
        return MissingColumnError(f"{self.source}:{self.number}: {_no_column(column, names)}")

    def _fault(self, message: str) -> FormatError:
        return FormatError(f"{self.source}:{self.number}: {message}")


class _Parquet:
    """A Parquet file."""

    def __init__(self, file: IO[bytes], source: str) -> None:
        self.source = source
        self.number = 0  # of the latest row
        self.read = 0
        self._file = file

    def texts(self, column: str) -> Iterator[str]:
        """The texts of a column."""
        return (value or "" for (value,) in self.rows([column], only_texts=True))

    def rows(
        self, columns: Sequence[str], *, only_texts: bool = False
    ) -> Iterator[tuple[Any, ...]]:
        """The values of some columns."""
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError as error:
            raise MissingExtraError("pyarrow", "arrow") from error
        try:
            size = self._file.seek(0, os.SEEK_END)
            opened = parquet.ParquetFile(self._file)
            for column in columns:
                self._check(opened.schema_arrow, column, pyarrow.types if only_texts else None)
            for batch in opened.iter_batches(_ROWS, columns=list(columns)):
                self.read = size * (self.number + len(batch)) // opened.metadata.num_rows
                lists = [batch.column(column).to_pylist() for column in columns]
                for values in zip(*lists, strict=True):
                    self.number += 1
                    yield values
        except FormatError:
            raise
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            reason = str(error).partition("\n")[0]
            raise FormatError(f"{self.source}: damaged Parquet data ({reason})") from error

    def _check(self, schema: Any, column: str, types: Any | None) -> None:
        """Refuse a column that is not there or, if types are given, holds no texts."""
        if column not in schema.names:
            raise MissingColumnError(f"{self.source}: {_no_column(column, schema.names)}")
        if types is None:
            return
        kind = schema.field(column).type
        values = kind.value_type if types.is_dictionary(kind) else kind
        if not (types.is_string(values) or types.is_large_string(values)):
            raise FormatError(f"{self.source}: the column {column!r} holds {kind}, not text")


def _dialect(separator: str) -> dict[str, Any]:
    quoting = csv.QUOTE_NONE if separator == "\t" else csv.QUOTE_MINIMAL
    return {"delimiter": separator, "quoting": quoting}


def _names(line: str, separator: str) -> list[str]:
    try:
        return [name.strip() for name in next(csv.reader([line], **_dialect(separator)), [])]
    except csv.Error:
        return []


def _no_column(column: str, names: Iterable[str]) -> str:
    return f"there is no {column!r} among {_shortened(', '.join(names))}"


def _shortened(value: object) -> str:
    shown = value if isinstance(value, str) else repr(value)
    return shown if len(shown) <= 100 else f"{shown[:100]} …"
