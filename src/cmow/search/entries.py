"""What is indexed: texts, and what is known of each."""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from cmow.choices import Invalid
from cmow.corpus import InvalidLines, expand, read_batches, read_blocks, without_tables
from cmow.errors import ConfigError

BATCH = 4096
TEXT, FILE, LINE = RESERVED = ("text", "file", "line")  # what metadata call what is not a column

AnyPath = str | os.PathLike[str]
Inputs = AnyPath | Iterable[AnyPath]


class Entry(NamedTuple):
    """A text, and its metadata by column."""

    text: str
    metadata: dict[str, Any]


def read_entries(
    inputs: Inputs,
    columns: Mapping[str, Sequence[Any]] | None = None,
    *,
    column: str | None = None,
    invalid: Invalid = "fail",
) -> Iterator[Entry]:
    """The texts of files, with file and line, or texts themselves.

    :param inputs: a path, folder, glob or "-" for stdin; several of them as Path objects; or any
        iterable of strings, which are the texts
    :param columns: what is known of each text
    :param column: of files that are tables, where the texts are; the others are known of each text
    """
    _refuse_reserved(columns or ())
    paths = _paths(inputs)
    entries: Iterator[Entry]
    if paths is None:
        if column is not None:
            raise ConfigError(f"column = {column!r} is for files: texts have no columns")
        entries = (Entry(_text(text), {}) for text in inputs)  # type: ignore[union-attr]
    elif column is None:
        entries = _lines(expand(paths), invalid)
    else:
        entries = _rows(expand(paths), column, invalid)
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
    for block in without_tables(read_blocks(files)):
        # Line by line, since lines that are skipped count.
        for number, line in enumerate(block.data.split(b"\n")[:-1], block.first_line):
            mended = policy.mend(line + b"\n", block.source, number)
            if mended:
                text = mended.decode().removesuffix("\n").removesuffix("\r")
                yield Entry(text, {FILE: block.source, LINE: number})


def _rows(files: Sequence[Path], column: str, invalid: Invalid) -> Iterator[Entry]:
    number, source = 0, ""
    for batch in read_batches(files, column=column, invalid=invalid):
        if batch.source != source:
            number, source = 0, batch.source
        for text, row in zip(batch.texts, batch.objects(), strict=True):
            number += 1
            known = {name: _plain(value) for name, value in row.items() if name != column}
            _refuse_reserved(known)
            yield Entry(text, {FILE: source, LINE: number, **known})


def _plain(value: Any) -> Any:
    """A value as JSON can hold it: a date, say, as text."""
    return value if isinstance(value, str | int | float | list | dict | None) else str(value)


def _refuse_reserved(columns: Iterable[str]) -> None:
    for name in columns:
        if name in RESERVED:
            raise ConfigError(
                f"a column cannot be called {name!r}: that is what the index calls it"
            )


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
