"""Random integers that are the same on every platform and with every version of NumPy."""

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Generic, TypeVar

import numpy as np

Item = TypeVar("Item")


class Draws:
    """A stream of random integers.

    Only the raw output of the bit generator is used: NumPy keeps that fixed for ever, and allows
    itself to change what its Generator makes of it.
    """

    def __init__(self, *seed: int) -> None:
        self.next = _halves(np.random.PCG64(np.random.SeedSequence(seed))).__next__

    def below(self, bound: int) -> int:
        """An integer from 0 to bound - 1."""
        return self.next() * bound >> 32

    def chance(self, percent: int) -> bool:
        """True in so many cases of a hundred."""
        return self.next() * 100 >> 32 < percent

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """The items in random order."""
        keys = [self.next() for _ in items]
        return [items[index] for index in sorted(range(len(keys)), key=keys.__getitem__)]


class Weighted(Generic[Item]):
    """Items to draw from, each in proportion to its whole-number weight."""

    def __init__(self, items: Sequence[Item], weights: Sequence[int]) -> None:
        self.items = tuple(items)
        self._bounds = tuple(accumulate(weights))
        self._total = self._bounds[-1]

    @classmethod
    def zipf(cls, items: Sequence[Item]) -> "Weighted[Item]":
        """Items whose frequency falls with their rank, the first being the most frequent."""
        return cls(items, [1_000_000 // (rank + 2) for rank in range(len(items))])

    def draw(self, draws: Draws) -> Item:
        """One of the items."""
        return self.items[bisect_right(self._bounds, draws.next() * self._total >> 32)]


def _halves(bits: np.random.PCG64) -> Iterator[int]:
    while True:
        yield from (bits.random_raw(4096) >> np.uint64(32)).tolist()
