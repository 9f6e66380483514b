"""One column of CSV, TSV, JSON lines and Parquet, as texts.

The content tells which of them a file is: Parquet by its first bytes, JSON by a brace. Else the
first line names the columns, and what stands between their names separates all columns. TSV knows
no quotes; in CSV they may hold separators and line ends.
"""

import csv
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import IO, Any

from cmow.corpus.readers import Block, blocks_of, blocks_of_texts
from cmow.errors import FormatError, MissingExtraError
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
    start = file.read(len(PARQUET))
    file.seek(0)
    rows = _Parquet(file, source) if start == PARQUET else _Lines(file, source)
    texts = rows.texts(column)
    return blocks_of_texts(
        texts, f"{source}[{column}]", paragraphs=paragraphs, read=lambda: rows.read
    )


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
        first = next(self._lines, "")
        if first.lstrip()[:1] in ("{", "["):
            yield from self._of_objects(first, column)
        elif first:
            yield from self._of_rows(first, column)

    def _of_objects(self, first: str, column: str) -> Iterator[str]:
        line: str | None = first
        while line is not None:
            if line.strip():
                yield self._text(self._object(line), column)
            line = next(self._lines, None)

    def _object(self, line: str) -> Mapping[str, Any]:
        try:
            value = parse_json(line)
        except FormatError as error:
            raise self._fault(f"not valid JSON ({error})") from None
        if not isinstance(value, dict):
            raise self._fault("not a JSON object: write one a line")
        return value

    def _text(self, value: Mapping[str, Any], column: str) -> str:
        if column not in value:
            raise self._fault(_no_column(column, value))
        text = value[column]
        if text is not None and not isinstance(text, str):
            raise self._fault(f"{column!r} is {_shortened(text)}, not a text")
        return text or ""

    def _of_rows(self, first: str, column: str) -> Iterator[str]:
        headers = {separator: _names(first, separator) for separator in SEPARATORS}
        separator = max(SEPARATORS, key=lambda each: (column in headers[each], len(headers[each])))
        names = headers[separator]
        if column not in names:
            raise self._fault(_no_column(column, names))
        place = names.index(column)
        for row in self._rows(separator):
            if len(row) != len(names):
                raise self._fault(f"{len(row)} columns, but the first line names {len(names)}")
            yield row[place]

    def _rows(self, separator: str) -> Iterator[list[str]]:
        try:
            for row in csv.reader(self._lines, **_dialect(separator)):
                if row:
                    yield row
        except csv.Error as error:
            raise self._fault(f"{error}; is a quote not closed?") from None

    def _fault(self, message: str) -> FormatError:
        return FormatError(f"{self.source}:{self.number}: {message}")


class _Parquet:
    """A Parquet file."""

    def __init__(self, file: IO[bytes], source: str) -> None:
        self.source = source
        self.read = 0
        self._file = file

    def texts(self, column: str) -> Iterator[str]:
        """The texts of a column."""
        try:
            import pyarrow
            from pyarrow import parquet
        except ImportError as error:
            raise MissingExtraError("pyarrow", "arrow") from error
        try:
            size = self._file.seek(0, os.SEEK_END)
            opened = parquet.ParquetFile(self._file)
            rows = 0
            self._check(opened.schema_arrow, column, pyarrow.types)
            for batch in opened.iter_batches(_ROWS, columns=[column]):
                rows += len(batch)
                self.read = size * rows // opened.metadata.num_rows
                yield from (text or "" for text in batch.column(0).to_pylist())
        except FormatError:
            raise
        except (pyarrow.ArrowException, OSError, ValueError) as error:
            reason = str(error).partition("\n")[0]
            raise FormatError(f"{self.source}: damaged Parquet data ({reason})") from error

    def _check(self, schema: Any, column: str, types: Any) -> None:
        if column not in schema.names:
            raise FormatError(f"{self.source}: {_no_column(column, schema.names)}")
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
