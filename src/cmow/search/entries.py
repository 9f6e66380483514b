"""What is indexed: texts, and what is known of each."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from cmow.choices import Invalid
from cmow.corpus import STDIN, InvalidLines, Row, expand, read_blocks, read_rows
from cmow.errors import ConfigError, FormatError

BATCH = 4096
TEXT, FILE, LINE = RESERVED = ("text", "file", "line")  # what metadata call what is not a column

AnyPath = str | os.PathLike[str]
Inputs = AnyPath | Iterable[AnyPath]


class Entry(NamedTuple):
    """A text, and its metadata by column."""

    text: str
    metadata: dict[str, Any]


class Table(NamedTuple):
    """Which columns of a table (CSV, TSV, JSON lines, Parquet) are read.

    :param text: the one that holds the texts
    :param kept: those that are known of each text
    """

    text: str
    kept: Sequence[str] = ()


def table_of(column: str | None, keep: Sequence[str]) -> Table | None:
    """Which columns were asked for, if files are tables."""
    if column is None and keep:
        raise ConfigError(f"keep = {list(keep)} is for tables: say which column holds the text")
    return None if column is None else Table(column, keep)


def read_entries(
    inputs: Inputs,
    columns: Mapping[str, Sequence[Any]] | None = None,
    *,
    table: Table | None = None,
    invalid: Invalid = "fail",
) -> Iterator[Entry]:
    """The texts of files, with file and line, or texts themselves.

    :param inputs: a path, folder, glob or "-" for stdin; several of them as Path objects; or any
        iterable of strings, which are the texts
    :param columns: what is known of each text
    :param table: of files that are tables and not texts, a line each
    """
    taken = [
        name for name in (*(columns or ()), *(table.kept if table else ())) if name in RESERVED
    ]
    if taken:
        raise ConfigError(
            f"a column cannot be called {taken[0]!r}: that is what the index calls it"
        )
    paths = _paths(inputs)
    entries: Iterator[Entry]
    if paths is None:
        if table is not None:
            raise ConfigError(f"column = {table.text!r} is for files: texts have no columns")
        entries = (Entry(_text(text), {}) for text in inputs)  # type: ignore[union-attr]
    elif table is None:
        entries = _lines(expand(paths), invalid)
    else:
        entries = _rows(expand(paths), table, invalid)
    return entries if columns is None else _with_columns(entries, columns)


def batches(entries: Iterator[Entry]) -> Iterator[list[Entry]]:
    """Entries in lists of some thousands."""
    while batch := list(islice(entries, BATCH)):
        yield batch


def _paths(inputs: Inputs) -> list[AnyPath] | None:
    if isinstance(inputs, str | os.PathLike):
        return [inputs]
    if isinstance(inputs, list | tuple) and inputs:
        if all(isinstance(each, os.PathLike) for each in inputs):
            return list(inputs)
        if all(isinstance(each, str) and Path(each).exists() for each in inputs):
            raise ConfigError(
                "a list of strings is a list of texts, but all of these name files: "
                f"pass paths, as in [Path({inputs[0]!r})]"
            )
    return None


def _text(text: Any) -> str:
    if not isinstance(text, str):
        raise TypeError(f"a text must be a str, not {type(text).__name__}")
    return text


def _lines(files: Sequence[Path], invalid: Invalid) -> Iterator[Entry]:
    policy = InvalidLines(invalid)
    for block in read_blocks(files):
        # Line by line, since lines that are skipped count.
        for number, line in enumerate(block.data.split(b"\n")[:-1], block.first_line):
            mended = policy.mend(line + b"\n", block.source, number)
            if mended:
                text = mended.decode().removesuffix("\n").removesuffix("\r")
                yield Entry(text, {FILE: block.source, LINE: number})


def _rows(files: Sequence[Path], table: Table, invalid: Invalid) -> Iterator[Entry]:
    policy = InvalidLines(invalid)
    for file in files:
        if file == STDIN:
            raise ConfigError("a table is read from a file, not from stdin")
        for row in read_rows(file, [table.text, *table.kept]):
            text = _mended(row, table.text, file, policy)
            if text is not None:
                kept = zip(table.kept, map(_plain, row.values[1:]), strict=True)
                yield Entry(text, {FILE: str(file), LINE: row.number, **dict(kept)})


def _mended(row: Row, column: str, file: Path, policy: InvalidLines) -> str | None:
    text = row.values[0]
    if text is not None and not isinstance(text, str):
        raise FormatError(f"{file}:{row.number}: {column!r} is {str(text)[:100]}, not a text")
    line = (text or "").encode(errors="surrogateescape") + b"\n"
    mended = policy.mend(line, str(file), row.number)
    return mended.decode().removesuffix("\n") if mended else None


def _plain(value: Any) -> Any:
    """A value as JSON holds it: a date, for one, as it is written."""
    return value if isinstance(value, str | int | float | list | dict | None) else str(value)


def _with_columns(
    entries: Iterator[Entry], columns: Mapping[str, Sequence[Any]]
) -> Iterator[Entry]:
    lengths = {name: len(values) for name, values in columns.items()}
    number = -1
    for number, entry in enumerate(entries):
        short = [name for name, length in lengths.items() if number >= length]
        if short:
            raise ConfigError(f"column {short[0]!r} has {lengths[short[0]]} values for more texts")
        given = {name: values[number] for name, values in columns.items()}
        yield Entry(entry.text, {**entry.metadata, **given})
    for name, length in lengths.items():
        if length != number + 1:
            raise ConfigError(f"column {name!r} has {length} values for {number + 1} texts")
