"""Word vectors in the files of other tools.

- word2vec, text and binary: a line ``words dim``, then a word and its vector each.
- fastText ``.vec``: as word2vec's text.
- GloVe: the same without the first line.

A word may contain blanks in the text formats: the last ``dim`` fields of a line are the vector.
"""

import gzip
import io
import logging
import os
import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, count, islice
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cmow.arrays import Floats
from cmow.durable import replaced_file
from cmow.errors import ConfigError, FormatError

logger = logging.getLogger(__name__)

LONGEST_LINE = 1 << 24
LARGEST = 2**31 - 1  # number of vectors, or of their numbers
BLOCK = 4096  # rows gathered at a time
CHUNK = 1 << 20  # bytes read at a time


class WordVectors(NamedTuple):
    """Words and their vectors, a row a word."""

    words: list[str]
    table: Floats

    def tokens(self) -> "WordVectors":
        """Without words that contain white space, which no token of a text does."""
        kept = [row for row, word in enumerate(self.words) if word.split() == [word]]
        if len(kept) == len(self.words):
            return self
        logger.warning("%d words with white space were left out", len(self.words) - len(kept))
        return WordVectors([self.words[row] for row in kept], self.table[kept])


class Entry(NamedTuple):
    """A word and its vector as they stand in a file."""

    place: str
    word: bytes
    vector: Floats


def read_vectors(
    path: str | os.PathLike[str], *, lowercase: bool = False, limit: int | None = None
) -> WordVectors:
    """Read a vector file (packed by gzip or not); of a repeated word the first vector counts.

    :param lowercase: lower-case the words.
    :param limit: stop after this many vectors.
    """
    if limit is not None and limit < 1:
        raise ConfigError(f"limit must be at least 1, not {limit}")
    with _open(Path(path)) as file, np.errstate(over="ignore"):
        try:
            stated, dim, entries = _parse(file)
            wanted = min((n for n in (stated, limit) if n is not None), default=None)
            return _collect(islice(entries, wanted), dim, lowercase, stated and wanted)
        except (ValueError, EOFError, zlib.error, gzip.BadGzipFile) as error:
            raise FormatError(f"{os.fspath(path)}: {error}") from error


def _open(path: Path) -> io.BufferedIOBase:
    with path.open("rb") as file:
        packed = file.read(2) == b"\x1f\x8b"
    return gzip.open(path) if packed else path.open("rb")


def _parse(file: io.BufferedIOBase) -> tuple[int | None, int, Iterator[Entry]]:
    """The number of vectors, if the file tells it, their length, and the entries."""
    first = file.readline(LONGEST_LINE)
    fields = first.split()
    if len(fields) == 2 and all(field.isdigit() for field in fields):
        words, dim = map(int, fields)
        if dim < 1:
            raise FormatError("line 1: vectors of no numbers")
        if max(words, dim) > LARGEST:
            raise FormatError(f"line 1: {words} vectors of {dim} numbers are more than any file's")
        after = file.tell()
        sample = file.readline(LONGEST_LINE).split()[1:]
        file.seek(after)
        if words and not (sample and all(map(_is_number, sample[-4:]))):
            return words, dim, _binary_entries(file, dim)
        return words, dim, _text_entries(enumerate(file, start=2), dim)
    if len(fields) < 2 or not _is_number(fields[-1]):
        raise FormatError("line 1: neither 'words dim' nor a word and its vector")
    dim = len(fields) - 1
    return None, dim, _text_entries(enumerate(chain([first], file), start=1), dim)


def _text_entries(lines: Iterable[tuple[int, bytes]], dim: int) -> Iterator[Entry]:
    for number, line in lines:
        word, *values = line.rsplit(None, dim) or [b""]
        if not word and not values:
            continue
        if len(values) != dim:
            raise FormatError(f"line {number}: {len(values)} numbers behind a word, not {dim}")
        try:
            vector = np.array(values, np.float32)
        except ValueError as error:
            raise FormatError(f"line {number}: {error}") from None
        yield Entry(f"line {number}", word.strip(), vector)


def _binary_entries(file: io.BufferedIOBase, dim: int) -> Iterator[Entry]:
    buffer, start = b"", 0
    for number in count(1):
        while (blank := buffer.find(b" ", start)) < 0 or len(buffer) < blank + 1 + 4 * dim:
            more = file.read(CHUNK)
            if not more:
                return
            buffer, start = buffer[start:] + more, 0
        vector = np.frombuffer(buffer, "<f4", dim, blank + 1).astype(np.float32)
        yield Entry(f"vector {number}", buffer[start:blank].strip(), vector)
        start = blank + 1 + 4 * dim


def _collect(
    entries: Iterator[Entry], dim: int, lowercase: bool, expected: int | None
) -> WordVectors:
    words: dict[str, None] = {}
    blocks, seen = [], 0
    while block := list(islice(entries, BLOCK)):
        fresh = []
        for place, name, vector in block:
            word = name.decode("utf-8", "replace")
            word = word.lower() if lowercase else word
            if not word or not np.isfinite(vector).all():
                raise FormatError(f"{place}: " + ("NaN or infinity" if word else "no word"))
            if word not in words:
                words[word] = None
                fresh.append(vector)
        seen += len(block)
        blocks.append(np.array(fresh, np.float32).reshape(-1, dim))
    if expected is not None and seen < expected:
        raise FormatError(f"ends after {seen} of {expected} vectors")
    if seen > len(words):
        logger.warning("%d vectors of repeated words were left out", seen - len(words))
    if not words:
        raise FormatError("no vectors")
    return WordVectors(list(words), np.concatenate(blocks))


def _is_number(field: bytes) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def write_vectors(
    path: str | os.PathLike[str], words: Sequence[str], table: Floats, *, binary: bool = False
) -> None:
    """Write word2vec's text or binary format."""
    for word in words:
        if not word or "\n" in word or (binary and " " in word):
            raise ConfigError(
                f"the word {word!r} cannot be written: "
                + ("write text, not binary" if binary else "no line can hold it")
            )
    template = " ".join(["%.9g"] * table.shape[1])  # nine digits tell float32 numbers apart
    with replaced_file(Path(path)) as fresh, fresh.open("wb") as file:
        file.write(b"%d %d\n" % table.shape)
        for word, row in zip(words, table, strict=True):
            values = row.astype("<f4").tobytes() if binary else (template % tuple(row)).encode()
            file.write(word.encode() + b" " + values + b"\n")
