"""What parts an encoder has: the paper's five shapes and ours by name, others by a grammar."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cmow.arrays import Floats
from cmow.choices import SHAPES
from cmow.encoder.parts import Array, Monoid, concatenate, make_monoid
from cmow.errors import ConfigError

_OPTION = r"\s*,\s*(\w+)\s*=\s*([-+.\deE]+)\s*"
_TERM = re.compile(rf"\s*(mean\s*\()?\s*(\w+)\s*\(\s*(\d+)\s*((?:{_OPTION})*)\)\s*(\))?\s*")


@dataclass(frozen=True)
class PartShape:
    """A part without its table: a monoid, and what the embedding shows of its elements.

    :param mean: the view is what a word adds to the neutral element's on average; elements then
        count the words
    """

    monoid: Monoid
    mean: bool = False

    @classmethod
    def parse(cls, term: str) -> "PartShape":
        """Read a term such as ``sum(400)``, ``windows(16,decay=0.7)`` or ``mean(sum(400))``."""
        found = _TERM.fullmatch(term)
        if found is None or bool(found[1]) != bool(found[7]):
            raise _unknown(term)
        options = {name: _number(value, term) for name, value in re.findall(_OPTION, found[4])}
        return cls(make_monoid(found[2], int(found[3]), **options), bool(found[1]))

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> "PartShape":
        """What `settings` has told of another one."""
        options = {name: value for name, value in settings.items() if name not in _TOLD}
        monoid = make_monoid(settings["composition"], settings["size"], **options)
        return cls(monoid, settings.get("mean", False))

    def settings(self) -> dict[str, Any]:
        """What a model folder says of a part; defaults are left out."""
        monoid = self.monoid
        told = {"composition": monoid.kind, "size": monoid.size, **monoid.unusual_options()}
        return {**told, "mean": True} if self.mean else told

    @property
    def element_width(self) -> int:
        """Numbers in an element."""
        return self.monoid.element_width + self.mean

    def neutral(self) -> Floats:
        """The element of a text without words."""
        counted = np.zeros(int(self.mean), np.float32)
        return np.concatenate([self.monoid.neutral(), counted])

    def neutral_row(self) -> Floats | None:
        """The row of a word that changes nothing, if there is one."""
        return None if self.mean else self.monoid.neutral_row()

    def lift(self, rows: Array) -> Array:
        """The elements of single words."""
        elements = self.monoid.lift(rows)
        return concatenate([elements, rows[..., :1] * 0 + 1]) if self.mean else elements

    def compose(self, left: Array, right: Array) -> Array:
        """The element of a text followed by another, of the elements of both."""
        for each in (left, right):
            check_width(each, self, self.element_width)
        if not self.mean:
            return self.monoid.compose(left, right)
        composed = self.monoid.compose(left[..., :-1], right[..., :-1])
        return concatenate([composed, left[..., -1:] + right[..., -1:]])

    def fold(self, elements: Array) -> Array:
        """All composed along the last axis but one, whose length is a power of two."""
        if not self.mean:
            return self.monoid.fold(elements)
        return concatenate([self.monoid.fold(elements[..., :-1]), elements[..., -1:].sum(-2)])

    def view(self, elements: Array) -> Array:
        """What an embedding shows of elements."""
        if not self.mean:
            return self.monoid.view(elements)
        added = self.monoid.view(elements[..., :-1]) - self._neutral_view(elements)
        return added / elements[..., -1:].clip(min=1)

    def _neutral_view(self, like: Array) -> Array:
        neutral = self.monoid.view(self.monoid.neutral())
        return neutral if isinstance(like, np.ndarray) else like.new_tensor(neutral)

    def __str__(self) -> str:
        options = "".join(
            f",{name}={value!r}" for name, value in self.monoid.unusual_options().items()
        )
        term = f"{self.monoid.kind}({self.monoid.size}{options})"
        return f"mean({term})" if self.mean else term


_TOLD = {"name", "composition", "size", "mean"}


class Shape(tuple[PartShape, ...]):
    """The parts of an encoder in their order; written ``sum(400)+product(20)``."""

    __slots__ = ()

    @classmethod
    def parse(cls, shape: "str | Sequence[tuple[str, int]]") -> "Shape":
        """Read a name such as hybrid-800, terms such as ``sum(400)+product(20)``, or pairs."""
        if isinstance(shape, str):
            parts = cls(map(PartShape.parse, _terms(shape)))
        else:
            parts = cls(PartShape(make_monoid(kind, size)) for kind, size in shape)
        if not parts:
            raise ConfigError("a shape needs at least one part, such as sum(400)")
        return parts

    @property
    def dim(self) -> int:
        """Numbers in an embedding."""
        return sum(part.monoid.view_width for part in self)

    @property
    def element_dim(self) -> int:
        """Numbers in an element."""
        return sum(part.element_width for part in self)

    @property
    def names(self) -> list[str]:
        """The parts' names: cbow for sums, cmow for products, numbered from the second on."""
        return unique_names([part.monoid.part_name for part in self])

    def compose(self, left: Floats, right: Floats) -> Floats:
        """The elements of texts followed by others, from the elements of both."""
        rows = [np.shape(side)[:-1] for side in (left, right)]
        try:
            np.broadcast_shapes(*rows)
        except ValueError:
            raise ConfigError(f"{rows[0]} elements cannot be followed by {rows[1]}") from None
        return self._by_part(PartShape.compose, left, right)

    def view(self, elements: Floats) -> Floats:
        """What embeddings show of elements."""
        return self._by_part(PartShape.view, elements)

    def _by_part(self, of: Callable[..., Floats], *elements: Floats) -> Floats:
        elements = tuple(map(np.asarray, elements))
        for each in elements:
            check_width(each, self, self.element_dim)
        found, start = [], 0
        for part in self:
            columns = slice(start, start + part.element_width)
            found.append(of(part, *(each[..., columns] for each in elements)))
            start = columns.stop
        return np.concatenate(found, axis=-1)

    def __str__(self) -> str:
        return "+".join(map(str, self))


def check_width(elements: Array, of: object, width: int) -> None:
    """Refuse what are no elements."""
    found = elements.shape[-1] if elements.shape else 1
    if found != width:
        raise ConfigError(
            f"elements of {of} have {width} numbers, as encode_elements gives them, not {found}"
        )


def unique_names(names: Sequence[str]) -> list[str]:
    """The same names with a number behind each repetition: cbow, cmow, cbow-2."""
    seen: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in seen:
            number += 1
            candidate = f"{name}-{number}"
        seen.append(candidate)
    return seen


def _terms(text: str) -> list[str]:
    terms = SHAPES.get(text, text).split("+")
    if not all(_TERM.fullmatch(term) for term in terms):
        raise _unknown(text)
    return terms


def _unknown(text: str) -> ConfigError:
    return ConfigError(
        f"unknown shape {text!r}: choose from {', '.join(SHAPES)} "
        "or write one such as 'sum(400)+product(20)'"
    )


def _number(text: str, shape: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise ConfigError(f"shape {shape!r}: {text!r} is not a number") from error
