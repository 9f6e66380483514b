"""Checks and cuts what users hand to an encoder."""

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Int32s, Int64s
from cmow.errors import ConfigError
from cmow.text import Ids

BLOCK_TEXTS = 16_384
BLOCK_CHARACTERS = 1 << 24


def checked_texts(texts: Iterable[str]) -> Iterator[str]:
    """The same texts; the first that is none is named."""
    if isinstance(texts, str):
        raise TypeError("expected a list of texts, not a single str: [text]")
    _check_column(texts)
    return _checked(texts)


def countable(texts: Iterable[str]) -> Any:
    """The same texts, in a list unless they tell how many they are."""
    _check_column(texts)
    return texts if isinstance(texts, Sized) else listed(texts)


def listed(texts: Iterable[str]) -> list[str]:
    """Texts of any iterable as a list, each of them checked."""
    return list(checked_texts(texts))


def _check_column(texts: Any) -> None:
    kind, dimensions = type(texts).__name__, getattr(texts, "ndim", 1)
    if isinstance(texts, bytes | bytearray | memoryview):
        raise TypeError(f"expected texts, not {kind}: decode them first, as by .decode('utf-8')")
    if dimensions != 1:
        raise TypeError(f"expected a column of texts, not {kind} of {dimensions} dimensions")
    if not (hasattr(texts, "__iter__") or hasattr(texts, "__getitem__")):
        raise TypeError(f"expected a text or a list of them, not {kind}, which is not iterable")


def _checked(texts: Iterable[str]) -> Iterator[str]:
    if hasattr(texts, "to_pylist"):  # an Arrow array, whose items are no strings yet
        texts = texts.to_pylist()
    for index, text in enumerate(texts):
        if not isinstance(text, str):
            raise TypeError(f"text {index} is of type {type(text).__name__}, not str")
        yield text


def text_blocks(texts: Iterable[str]) -> Iterator[list[str]]:
    """Texts in lists whose ids need little memory, whatever the number and length of the texts."""
    block: list[str] = []
    characters = 0
    for text in checked_texts(texts):
        block.append(text)
        characters += len(text)
        if len(block) == BLOCK_TEXTS or characters >= BLOCK_CHARACTERS:
            yield block
            block, characters = [], 0
    if block:
        yield block


def fixed_blocks(texts: Iterable[str], size: int) -> Iterator[list[str]]:
    """Texts in lists of ``size``; the last may be shorter."""
    iterator = iter(texts)
    while block := list(islice(iterator, size)):
        yield block


def ragged(ids: Any, offsets: Any = None) -> tuple[Int32s, Int64s]:
    """Ids of several texts as one flat array and the offsets where a text begins and ends.

    :param ids: a flat array (with ``offsets``), the ``Ids`` of a tokenizer, or a list of ids for
        each text.
    """
    if isinstance(ids, Ids):
        ids, offsets = ids.flat, ids.offsets
    if offsets is None:
        texts = [_integers(text, f"text {index}") for index, text in enumerate(ids)]
        offsets = np.cumsum([0, *map(len, texts)], dtype=np.int64)
        flat = np.concatenate(texts) if texts else np.zeros(0, np.int32)
    else:
        flat, offsets = _integers(ids, "ids"), _integers(offsets, "offsets").astype(np.int64)
        _check_offsets(offsets, len(flat))
    if len(flat) and not 0 <= flat.min() <= flat.max() <= np.iinfo(np.int32).max:
        raise IndexError(f"ids lie between {flat.min()} and {flat.max()}: not in the vocabulary")
    return np.ascontiguousarray(flat, np.int32), np.ascontiguousarray(offsets)


def id_blocks(flat: Int32s, offsets: Int64s) -> Iterator[Ids]:
    """Ragged texts in blocks of as many as encoding takes at a time."""
    for start in range(0, len(offsets) - 1, BLOCK_TEXTS):
        yield Ids(flat, offsets[start : start + BLOCK_TEXTS + 1], discarded=0)


def _integers(values: Sequence[int], name: str) -> NDArray[Any]:
    array = np.asarray(values)
    if array.ndim != 1 or (array.dtype.kind not in "iu" and len(array)):
        raise TypeError(f"{name}: expected a list of integers, not {array.dtype} {array.shape}")
    return array if len(array) else array.astype(np.int32)


def _check_offsets(offsets: Int64s, tokens: int) -> None:
    if not len(offsets) or offsets[0] < 0 or offsets[-1] > tokens or (np.diff(offsets) < 0).any():
        raise ConfigError(f"offsets must rise from 0 to at most the number of ids, {tokens}")
