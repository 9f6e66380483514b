"""What parts an encoder has: the paper's five shapes and ours by name, others by a grammar."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from cmow.choices import SHAPES
from cmow.encoder.monoids import monoid
from cmow.encoder.parts import unique_names
from cmow.errors import ConfigError

PART_NAMES = {"sum": "cbow", "product": "cmow"}

_TERM = re.compile(r"\s*(\w+)\s*\(\s*(\d+)\s*\)\s*")


class PartShape(NamedTuple):
    """A part without its table."""

    composition: str
    size: int


class Shape(tuple[PartShape, ...]):
    """The parts of an encoder in their order; written ``sum(400)+product(20)``."""

    __slots__ = ()

    @classmethod
    def parse(cls, shape: "str | Sequence[tuple[str, int]]") -> "Shape":
        """Read a name such as hybrid-800, terms such as ``sum(400)+product(20)``, or pairs."""
        terms = _terms(shape) if isinstance(shape, str) else shape
        parts = cls(PartShape(composition, size) for composition, size in terms)
        if not parts:
            raise ConfigError("a shape needs at least one part, such as sum(400)")
        for part in parts:
            monoid(part.composition, part.size)
        return parts

    @property
    def dim(self) -> int:
        """Numbers in an embedding."""
        return sum(monoid(*part).width for part in self)

    @property
    def names(self) -> list[str]:
        """The parts' names: cbow for sums, cmow for products, numbered from the second on."""
        return unique_names(PART_NAMES[part.composition] for part in self)

    def __str__(self) -> str:
        return "+".join(f"{composition}({size})" for composition, size in self)


def _terms(text: str) -> list[tuple[str, int]]:
    terms = [_TERM.fullmatch(term) for term in SHAPES.get(text, text).split("+")]
    if None in terms:
        raise ConfigError(
            f"unknown shape {text!r}: choose from {', '.join(SHAPES)} "
            "or write one such as 'sum(400)+product(20)'"
        )
    return [(term[1], int(term[2])) for term in terms if term]
