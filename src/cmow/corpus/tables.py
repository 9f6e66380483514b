"""Tables that are given as if they were text."""

import csv
import logging
import re
from collections.abc import Iterable, Iterator

from cmow.corpus.arrow import arrow_kind
from cmow.corpus.columns import SEPARATORS
from cmow.corpus.readers import Block
from cmow.corpus.sources import TEXTS
from cmow.errors import FormatError
from cmow.parsing import parse_json

_logger = logging.getLogger("cmow.corpus")
_LINES = 20  # of a file that are looked at
_NAME = re.compile(r"[^\W\d][\w .-]{0,30}(?<! )")


def without_tables(
    blocks: Iterable[Block], *, log: bool = True, option: str = "--column"
) -> Iterator[Block]:
    """The same blocks; says so if the lines of the first file look like those of a table.

    A Parquet or Arrow file is refused: there are no lines in it.

    :param option: that names the column of the text
    """
    cure, first = f"name the column that holds the text with {option}", True
    for block in blocks:
        if block.first_line == 1 and (kind := arrow_kind(block.data)) and b"\0" in block.data:
            raise FormatError(f"{block.source}: a file of {kind}; {cure}")
        if first and log and block.source != TEXTS:
            _warn(block, cure)
        first = False
        yield block


def _warn(block: Block, cure: str) -> None:
    lines = block.data[: 1 << 16].decode(errors="replace").split("\n")[:_LINES]
    lines = [line.removesuffix("\r") for line in lines if line.strip()]
    if len(lines) > 1 and (found := _json_names(lines) or _column_names(lines)):
        kind, names = found
        _logger.warning(
            "%s: the lines look like %s: %s (%s)", block.source, kind, cure, ", ".join(names[:20])
        )


def _json_names(lines: list[str]) -> tuple[str, list[str]] | None:
    try:
        values = [parse_json(line) for line in lines[:2]]
    except FormatError:
        return None
    objects = all(isinstance(value, dict) for value in values)
    return ("JSON", list(values[0])) if objects else None


def _column_names(lines: list[str]) -> tuple[str, list[str]] | None:
    """The columns, if the first line may well name them and the others have as many."""
    for separator, kind in zip(SEPARATORS, ("CSV", "TSV", "CSV"), strict=True):
        try:
            names, *rows = csv.reader(lines[:-1] if len(lines) > 2 else lines, delimiter=separator)
        except (csv.Error, ValueError):
            continue
        named = len(set(names)) == len(names) > 1 and all(map(_NAME.fullmatch, names))
        if named and all(len(row) == len(names) for row in rows):
            return kind, names
    return None
