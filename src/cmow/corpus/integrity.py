"""Whether the ids on disk can be those of a corpus.

All are looked at whenever a corpus is opened: 0.2 s for 10⁸ of them are less than it would take to
find out, by a checksum, that they are the same as last time. What changes afterwards ends in an
error as well: the core checks each sentence that it takes.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow import _core
from cmow.errors import FormatError
from cmow.threads import thread_count

PIECE = 1 << 20  # numbers in memory at a time


def check_ids(path: Path, *, words: int) -> None:
    """Refuse ids that a vocabulary of so many words does not have."""
    for ids in _pieces(path, "<i4"):
        place = _core.first_unknown(ids, words, thread_count(None))
        if place >= 0:
            raise _damaged(path, f"id {ids[place]} in a vocabulary of {words} words")


def check_offsets(path: Path, *, tokens: int) -> None:
    """Refuse offsets that do not rise from 0 to the number of ids."""
    last = first = None
    for offsets in _pieces(path, "<i8"):
        first = int(offsets[0]) if first is None else first
        place = _core.first_fallen(offsets, last or 0, tokens, thread_count(None))
        if place >= 0:
            raise _damaged(path, f"an offset is {offsets[place]}")
        last = int(offsets[-1])
    if (first, last) != (0, tokens):
        raise _damaged(path, f"offsets from {first} to {last} of {tokens} ids")


def _pieces(path: Path, kind: str) -> Iterator[NDArray[Any]]:
    """The numbers of a file, mapped a piece at a time: to look at them all takes no memory."""
    size = path.stat().st_size // np.dtype(kind).itemsize
    for start in range(0, size, PIECE):
        place, count = start * np.dtype(kind).itemsize, min(PIECE, size - start)
        yield np.asarray(np.memmap(path, kind, "r", offset=place, shape=(count,)))


def _damaged(path: Path, fault: str) -> FormatError:
    return FormatError(f"{path}: damaged ({fault}); prepare the corpus again")
