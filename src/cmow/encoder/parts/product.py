"""Square matrices under multiplication in reading order (CMOW), flattened by columns."""

import numpy as np

from cmow.arrays import Floats
from cmow.encoder.parts.monoid import Array, Monoid, normal


class Product(Monoid):
    """Matrices of ``size`` rows and columns."""

    kind, part_name = "product", "cmow"
    smallest, largest = 2, 64
    caches_ngrams = True

    @property
    def row_width(self) -> int:
        return self.size**2

    def origin(self) -> Floats:
        return np.eye(self.size, dtype=np.float32).ravel()

    def neutral(self) -> Floats:
        return self.origin()

    def compose(self, left: Array, right: Array) -> Array:
        # A matrix stored by columns reads as its transpose, and (LR)ᵀ = RᵀLᵀ.
        product = self._matrices(right) @ self._matrices(left)
        return product.reshape(*product.shape[:-2], self.size**2)

    def start(
        self, words: int, *, initialization: str, sigma: float, generator: np.random.Generator
    ) -> Floats:
        width = self.size**2
        if initialization == "glorot":
            # The original code takes the whole row for a layer (fan in = fan out = d²), not the
            # matrix (d): only so do the values vanish with the length as the paper's figure shows.
            bound = np.float32(np.sqrt(6 / (width + width)))
            uniform: Floats = bound * (2 * generator.random((words, width), np.float32) - 1)
            return uniform
        table = normal((words, width), sigma, generator)
        if initialization == "identity":
            table += self.origin()
        return table

    def rate(self, product_rate: float) -> float:
        return product_rate

    def _matrices(self, rows: Array) -> Array:
        return rows.reshape(*rows.shape[:-1], self.size, self.size)
