"""What tokenizing gives."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Ids(NamedTuple):
    """The token ids of n texts, one text behind the other."""

    flat: NDArray[np.int32]
    offsets: NDArray[np.int64]  # n + 1: text i is flat[offsets[i]:offsets[i + 1]]
    discarded: int  # tokens that were out of vocabulary
