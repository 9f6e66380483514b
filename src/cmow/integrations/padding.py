"""Ids of texts in the form that most libraries know: padded to the longest, and a mask."""

from collections.abc import Iterable

import numpy as np

from cmow.arrays import Booleans, Int64s
from cmow.encoder import listed
from cmow.text import Tokenizer


def padded_ids(tokenizer: Tokenizer, texts: Iterable[str]) -> tuple[Int64s, Booleans]:
    """The ids of texts, a row each, and which of them count."""
    ids = tokenizer.ids(listed(texts))
    lengths = np.diff(ids.offsets)
    mask: Booleans = np.arange(max(lengths.max(initial=0), 1)) < lengths[:, None]
    padded = np.zeros(mask.shape, np.int64)
    padded[mask] = ids.flat
    return padded, mask
