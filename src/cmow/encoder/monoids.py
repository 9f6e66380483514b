"""The two ways to compose rows: each is associative and has a neutral element, a monoid.

Everything else rests on that: a text may be cut anywhere and composed piece by piece, a padding
of neutral elements changes nothing, and the product of a frequent n-gram may be kept.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np

from cmow.arrays import Floats
from cmow.errors import ConfigError


@dataclass(frozen=True)
class Monoid(ABC):
    """An associative composition of flat rows with a neutral element."""

    size: int

    @property
    @abstractmethod
    def width(self) -> int:
        """Numbers in a row."""

    @abstractmethod
    def neutral(self) -> Floats:
        """The row that changes no other row it is composed with."""

    @abstractmethod
    def compose(self, left: Floats, right: Floats) -> Floats:
        """What stands for the text of ``left`` followed by the text of ``right``."""


class Sum(Monoid):
    """Vectors of ``size`` numbers under addition: the order of the words is lost (CBOW)."""

    smallest, largest = 1, 1 << 20

    @property
    def width(self) -> int:
        return self.size

    def neutral(self) -> Floats:
        return np.zeros(self.width, np.float32)

    def compose(self, left: Floats, right: Floats) -> Floats:
        return left + right


class Product(Monoid):
    """Square matrices of ``size`` rows under multiplication, flattened by columns (CMOW)."""

    smallest, largest = 2, 64

    @property
    def width(self) -> int:
        return self.size**2

    def neutral(self) -> Floats:
        return np.eye(self.size, dtype=np.float32).ravel()

    def compose(self, left: Floats, right: Floats) -> Floats:
        # Reshaping a matrix stored by columns yields its transpose, and (LR)ᵀ = RᵀLᵀ.
        product = self._transposes(right) @ self._transposes(left)
        return product.reshape(*product.shape[:-2], self.width)

    def _transposes(self, rows: Floats) -> Floats:
        return rows.reshape(*rows.shape[:-1], self.size, self.size)


COMPOSITIONS: dict[str, type[Sum] | type[Product]] = {"sum": Sum, "product": Product}


def monoid(composition: str, size: int) -> Monoid:
    """The monoid of a composition ("sum" or "product") of the given vector or matrix size."""
    kind = COMPOSITIONS.get(composition)
    if kind is None:
        raise ConfigError(f"unknown composition {composition!r}: choose from sum, product")
    if not kind.smallest <= size <= kind.largest:
        raise ConfigError(
            f"{composition}({size}): the size must lie between {kind.smallest} and {kind.largest}"
        )
    return kind(size)
