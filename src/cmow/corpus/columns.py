"""Columns of CSV, TSV, JSON lines, Parquet and Arrow: one as texts, or several as they are.

The content tells which of them a file is: Parquet and Arrow by their first bytes, JSON by a brace.
Else the first line names the columns, and what stands between their names separates all columns.
TSV knows no quotes; in CSV they may hold separators and line ends.
"""

import csv
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, NamedTuple

from cmow.corpus.arrow import (
    LONGEST_MAGIC,
    ArrowTable,
    MissingColumnError,
    arrow_kind,
    no_column,
    shortened,
)
from cmow.corpus.readers import Block, blocks_of, blocks_of_texts
from cmow.errors import FormatError, path_in_errors
from cmow.parsing import parse_json
from cmow.pluralize import pluralize

SEPARATORS = (",", "\t", ";")


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


class Row(NamedTuple):
    """Some columns of a table."""

    number: int  # of its last line, or of the row of Parquet and Arrow, counted from 1
    values: tuple[Any, ...]  # of CSV and TSV: texts


def read_rows(path: Path, columns: Sequence[str]) -> Iterator[Row]:
    """The columns of a file, row by row."""
    with path_in_errors(path), path.open("rb") as file:
        table = _opened(file, str(path))
        for values in table.rows(columns):
            yield Row(table.number, values)


def _opened(file: IO[bytes], source: str) -> "ArrowTable | LineTable":
    start = file.read(LONGEST_MAGIC)
    file.seek(0)
    return ArrowTable(file, source, start) if arrow_kind(start) else LineTable(file, source)


class LineTable:
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
            yield self.text(value, column)

    def text(self, value: Any, column: str) -> str:
        """The value of the latest row in a column of texts; what is missing is an empty text."""
        if value is not None and not isinstance(value, str):
            raise self._fault(f"{column!r} is {shortened(value)}, not a text")
        return value or ""

    def rows(self, columns: Sequence[str]) -> Iterator[tuple[Any, ...]]:
        """The values of some columns."""
        first = next(self._lines, "")
        if _is_json(first):
            for value in self._objects(first):
                yield tuple(self._value(value, column) for column in columns)
        elif first:
            names, separator = self._header(first, columns)
            places = [names.index(column) for column in columns]
            for row in self._rows(names, separator):
                yield tuple(row[place] for place in places)

    def records(self, column: str) -> Iterator[dict[str, Any]]:
        """All columns by their names, among which one must be."""
        first = next(self._lines, "")
        if _is_json(first):
            for value in self._objects(first):
                self._value(value, column)
                yield value
        elif first:
            names, separator = self._header(first, [column])
            for name in names:
                if names.count(name) > 1:
                    raise self._fault(f"two columns are called {name!r}: rename one")
            for row in self._rows(names, separator):
                yield dict(zip(names, row, strict=True))

    def _objects(self, first: str) -> Iterator[dict[str, Any]]:
        line: str | None = first
        while line is not None:
            if line.strip():
                yield self._object(line)
            line = next(self._lines, None)

    def _object(self, line: str) -> dict[str, Any]:
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

    def _header(self, first: str, columns: Sequence[str]) -> tuple[list[str], str]:
        """The names of all columns, and what separates them."""
        headers = {separator: _names(first, separator) for separator in SEPARATORS}
        separator = max(
            SEPARATORS,
            key=lambda each: (set(columns) <= set(headers[each]), len(headers[each])),
        )
        for column in columns:
            if column not in headers[separator]:
                raise self._missing(column, headers[separator])
        return headers[separator], separator

    def _rows(self, names: Sequence[str], separator: str) -> Iterator[list[str]]:
        try:
            for row in csv.reader(self._lines, **_dialect(separator)):
                if row and len(row) != len(names):
                    found = pluralize(len(row), "column")
                    raise self._fault(f"{found}, but the first line names {len(names)}")
                if row:
                    yield row
        except csv.Error as error:
            raise self._fault(f"{error}; is a quote not closed?") from None

    def _missing(self, column: str, names: Iterable[str]) -> MissingColumnError:
        return MissingColumnError(f"{self.source}:{self.number}: {no_column(column, names)}")

    def _fault(self, message: str) -> FormatError:
        return FormatError(f"{self.source}:{self.number}: {message}")


def _is_json(first: str) -> bool:
    return first.lstrip()[:1] in ("{", "[")


def _dialect(separator: str) -> dict[str, Any]:
    quoting = csv.QUOTE_NONE if separator == "\t" else csv.QUOTE_MINIMAL
    return {"delimiter": separator, "quoting": quoting}


def _names(line: str, separator: str) -> list[str]:
    try:
        return [name.strip() for name in next(csv.reader([line], **_dialect(separator)), [])]
    except csv.Error:
        return []
