"""Vectors under addition (CBOW): the order of the words is lost."""

import numpy as np

from cmow.arrays import Floats
from cmow.encoder.parts.monoid import Array, Monoid, normal


class Sum(Monoid):
    """Vectors of ``size`` numbers."""

    kind, part_name = "sum", "cbow"
    smallest, largest = 1, 1 << 20
    has_vectors = True
    commutes = True
    adds = True

    @property
    def row_width(self) -> int:
        return self.size

    def origin(self) -> Floats:
        return self.neutral()

    def neutral(self) -> Floats:
        return np.zeros(self.size, np.float32)

    def compose(self, left: Array, right: Array) -> Array:
        return left + right

    def fold(self, elements: Array) -> Array:
        return elements.sum(-2)

    def start(
        self, words: int, *, initialization: str, sigma: float, generator: np.random.Generator
    ) -> Floats:
        del initialization  # concerns matrices
        return normal((words, self.size), sigma, generator)
