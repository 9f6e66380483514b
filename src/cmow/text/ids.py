"""What tokenizing gives."""

from typing import NamedTuple

from cmow.arrays import Int32s, Int64s


class Ids(NamedTuple):
    """The token ids of n texts, one text behind the other."""

    flat: Int32s
    offsets: Int64s  # n + 1: text i is flat[offsets[i]:offsets[i + 1]]
    discarded: int  # tokens that were out of vocabulary
