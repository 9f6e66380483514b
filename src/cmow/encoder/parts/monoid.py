"""What every kind of part is: an associative composition with a neutral element, a monoid.

Everything else rests on that: a text may be cut anywhere and composed piece by piece, a padding
of neutral elements changes nothing, and what a frequent n-gram composes to may be kept.

Arrays are NumPy's or tensors of PyTorch: one formula serves both.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from cmow.arrays import Floats

Array = Any  # of NumPy or PyTorch; the last axis holds the numbers of a row, element or view


@dataclass(frozen=True)
class Monoid(ABC):
    """A row of the table becomes an element; elements compose; an embedding shows a view of one.

    For sums and products the three are the same.
    """

    kind: ClassVar[str]  # the core's name for it, and the users'
    part_name: ClassVar[str]  # of the first part of the kind in an encoder
    smallest: ClassVar[int]
    largest: ClassVar[int]
    has_vectors: ClassVar[bool] = False  # whether rows are vectors as other libraries have them
    commutes: ClassVar[bool] = False  # whether the order of words is lost
    adds: ClassVar[bool] = False  # whether rows add up, so that a linear map of them is of the sum
    caches_ngrams: ClassVar[bool] = False  # whether an n-gram's element can stand in for a row

    size: int  # of a vector, or of a matrix's side

    @property
    @abstractmethod
    def row_width(self) -> int:
        """Numbers in a row of the table."""

    @property
    def element_width(self) -> int:
        """Numbers in an element."""
        return self.row_width

    @property
    def view_width(self) -> int:
        """Numbers that an embedding shows of an element."""
        return self.row_width

    @abstractmethod
    def origin(self) -> Floats:
        """The row that rows start around, and that int8 and int4 rows are deviations from."""

    def neutral_row(self) -> Floats | None:
        """The row of a word that changes nothing, if there is one."""
        return self.neutral()

    @abstractmethod
    def neutral(self) -> Floats:
        """The element that changes no other element it is composed with."""

    def lift(self, rows: Array) -> Array:
        """The elements of single words."""
        return rows

    def magnitude(self, row: float) -> float:
        """The largest number of a word's element, at most, by that of its row."""
        return row

    @abstractmethod
    def compose(self, left: Array, right: Array) -> Array:
        """The element of a text followed by another, of the elements of both."""

    def fold(self, elements: Array) -> Array:
        """All composed along the last axis but one, whose length is a power of two.

        Neighbors first, then pairs of them: the logarithm of the length is the number of steps.
        """
        while elements.shape[-2] > 1:
            elements = self.compose(elements[..., 0::2, :], elements[..., 1::2, :])
        return elements[..., 0, :]

    def view(self, elements: Array) -> Array:
        """What an embedding shows of elements."""
        return elements

    @abstractmethod
    def start(
        self, words: int, *, initialization: str, sigma: float, generator: np.random.Generator
    ) -> Floats:
        """An untrained table, drawn row by row: more words begin with the same rows."""

    def rate(self, product_rate: float) -> float:
        """How fast rows step, in learning rates.

        :param product_rate: what the training's settings say of matrices
        """
        del product_rate
        return 1.0

    def constants(self) -> Floats:
        """Numbers that the core needs beside the size."""
        return np.zeros(0, np.float32)

    @classmethod
    def options(cls) -> dict[str, Any]:
        """What it can be told beside the size, and the defaults."""
        return {each.name: each.default for each in fields(cls) if each.name != "size"}

    def unusual_options(self) -> dict[str, Any]:
        """What it was told beside the size."""
        values = {name: getattr(self, name) for name in self.options()}
        return {name: value for name, value in values.items() if value != self.options()[name]}


def normal(shape: tuple[int, int], sigma: float, generator: np.random.Generator) -> Floats:
    """Normally distributed numbers."""
    table = generator.standard_normal(shape, np.float32)
    table *= np.float32(sigma)
    return table


def concatenate(arrays: list[Array]) -> Array:
    """Arrays of NumPy or PyTorch side by side."""
    if isinstance(arrays[0], np.ndarray):
        return np.concatenate(arrays, axis=-1)
    import torch

    return torch.cat(arrays, dim=-1)
