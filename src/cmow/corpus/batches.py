"""Texts in batches, with the rows of the tables that they are in."""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from cmow.choices import Invalid
from cmow.corpus.arrow import LONGEST_MAGIC, ArrowTable, arrow_kind, texts_of
from cmow.corpus.columns import LineTable
from cmow.corpus.encoding import InvalidLines
from cmow.corpus.readers import STDIN, encoded, read_blocks
from cmow.corpus.tables import without_tables
from cmow.errors import path_in_errors

ROWS = 4096
TEXT = "text"  # the column of what comes from no table


class Batch(NamedTuple):
    """Some texts."""

    texts: list[str]
    rows: Any  # of their table: a RecordBatch of pyarrow, or a list of columns by name
    source: str  # for messages
    read: int  # bytes of the file that were read for it

    def objects(self) -> list[dict[str, Any]]:
        """The rows as values by column."""
        return list(self.rows if isinstance(self.rows, list) else self.rows.to_pylist())


def read_batches(
    files: Sequence[Path], *, column: str | None = None, invalid: Invalid = "fail"
) -> Iterator[Batch]:
    """The texts of files, some thousands at a time: their lines, or those of a column of a table.

    :param invalid: what to do with lines, or rows, that are not UTF-8
    """
    policy = InvalidLines(invalid)
    if column is None:
        yield from _of_lines(files, policy)
        return
    for path in files:
        with _opened(path) as (file, source, start):
            if arrow_kind(start):
                yield from _of_arrow(ArrowTable(file, source, start), column)
            else:
                yield from _of_records(LineTable(file, source), column, policy)


def _of_lines(files: Sequence[Path], policy: InvalidLines) -> Iterator[Batch]:
    for block in without_tables(read_blocks(files)):
        data = policy.mend(block.data, block.source, block.first_line)
        lines = [line.removesuffix("\r") for line in data.decode().split("\n")[:-1]]
        read = block.read
        for start in range(0, len(lines), ROWS):
            texts = lines[start : start + ROWS]
            yield Batch(texts, [{TEXT: text} for text in texts], block.source, read)
            read = 0


def _of_arrow(table: ArrowTable, column: str) -> Iterator[Batch]:
    before = 0
    for rows in table.batches(texts=column):
        texts = texts_of(rows, column, table.source)
        yield Batch(texts, rows, table.source, table.read - before)
        before = table.read


def _of_records(table: LineTable, column: str, policy: InvalidLines) -> Iterator[Batch]:
    records = (
        mended
        for record in table.records(column)
        if (mended := _mended(record, f"{table.source}[{column}]", table.number, policy))
    )
    before = 0
    while rows := list(islice(records, ROWS)):
        texts = [table.text(row[column], column) for row in rows]
        yield Batch(texts, rows, table.source, table.read - before)
        before = table.read


def _mended(
    record: dict[str, Any], source: str, number: int, policy: InvalidLines
) -> dict[str, Any] | None:
    """The same row as valid UTF-8, or None if it is to be skipped."""
    mended = {}
    for name, value in record.items():
        if isinstance(value, str) and not value.isascii():
            data = encoded(value)
            valid = policy.mend(data, source, number)
            if valid.count(b"\n") != data.count(b"\n") or (data and not valid):
                return None
            value = valid.decode()
        mended[name] = value
    return mended


@contextmanager
def _opened(path: Path) -> Iterator[tuple[IO[bytes], str, bytes]]:
    """A file, its name and its first bytes; what must be read from its end on can be."""
    if path == STDIN:
        with path_in_errors("<stdin>"), _seekable(sys.stdin.buffer) as (file, start):
            yield file, "<stdin>", start
    else:
        with path_in_errors(path), path.open("rb") as given, _seekable(given) as (file, start):
            yield file, str(path), start


@contextmanager
def _seekable(file: Any) -> Iterator[tuple[IO[bytes], bytes]]:
    start = cast("BufferedReader", file).peek(LONGEST_MAGIC)[:LONGEST_MAGIC]
    if file.seekable() or not arrow_kind(start):
        yield file, start
        return
    with tempfile.TemporaryFile() as copy:
        with path_in_errors(tempfile.gettempdir()):
            shutil.copyfileobj(file, copy)
            copy.seek(0)
        yield copy, start
