"""A seeded order of any number of sentences that needs no memory."""

from typing import overload

import numpy as np

from cmow._core import permute
from cmow.arrays import Int64s


class Permutation:
    """The numbers 0 to size - 1 in a random order, the same on every machine.

    An element is computed from its position alone; a slice is an array.

    :param stream: another independent order of the same seed, for example one for each epoch
    """

    def __init__(self, size: int, *, seed: int, stream: int = 0) -> None:
        for name, value, end in (("size", size, 63), ("seed", seed, 64), ("stream", stream, 64)):
            if not 0 <= value < 1 << end:
                raise ValueError(f"{name} must be from 0 to 2^{end} - 1, not {value}")
        self.size = size
        self.seed = seed
        self.stream = stream

    def __len__(self) -> int:
        return self.size

    @overload
    def __getitem__(self, position: int) -> int: ...
    @overload
    def __getitem__(self, position: slice) -> Int64s: ...
    def __getitem__(self, position: int | slice) -> int | Int64s:
        if isinstance(position, slice):
            return self.take(np.arange(*position.indices(self.size), dtype=np.int64))
        if not -self.size <= position < self.size:
            raise IndexError(f"position {position} is outside of a permutation of {self.size}")
        return int(self.take(np.array([position % self.size]))[0])

    def take(self, positions: Int64s) -> Int64s:
        """The elements at many positions."""
        elements = np.array(positions, dtype=np.int64)
        permute(elements, self.size, self.seed, self.stream)
        return elements
