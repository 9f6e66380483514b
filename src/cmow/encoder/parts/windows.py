"""The sum of the products of all contiguous runs of words, each further word of a run decayed.

An element has four matrices: the whole product, decayed once for each word, and the sums over the
text's prefixes, over its suffixes and over all of its runs. An embedding shows the last one.
"""

import math
from dataclasses import dataclass

import numpy as np

from cmow.arrays import Floats
from cmow.encoder.parts.monoid import Array, concatenate
from cmow.encoder.parts.product import Product
from cmow.errors import ConfigError


@dataclass(frozen=True)
class Windows(Product):
    """Matrices of ``size`` rows and columns."""

    kind, part_name = "windows", "windows"
    caches_ngrams = False

    decay: float = 0.5  # of a run, for every word but one

    def __post_init__(self) -> None:
        if not 0 < self.decay < math.inf:
            raise ConfigError(f"windows: decay must be a positive number, not {self.decay}")

    @property
    def element_width(self) -> int:
        return 4 * self.size**2

    def neutral_row(self) -> Floats | None:
        return None  # every word is a run

    def neutral(self) -> Floats:
        return np.concatenate([self.origin(), np.zeros(3 * self.size**2, np.float32)])

    def lift(self, rows: Array) -> Array:
        return concatenate([self.decay * rows, rows, rows, rows])

    def compose(self, left: Array, right: Array) -> Array:
        multiply = super().compose
        product, prefixes, suffixes, total = self._split(left)
        next_product, next_prefixes, next_suffixes, next_total = self._split(right)
        return concatenate(
            [
                multiply(product, next_product),
                prefixes + multiply(product, next_prefixes),
                multiply(suffixes, next_product) + next_suffixes,
                total + self.decay * multiply(suffixes, next_prefixes) + next_total,
            ]
        )

    def view(self, elements: Array) -> Array:
        return self._split(elements)[3]

    def constants(self) -> Floats:
        return np.array([self.decay], np.float32)

    def _split(self, elements: Array) -> list[Array]:
        width = self.size**2
        return [elements[..., place * width : (place + 1) * width] for place in range(4)]
