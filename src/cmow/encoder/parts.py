"""A part of an encoder: a table with one row a word, and the monoid that composes its rows."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Floats
from cmow.choices import Storage
from cmow.encoder.monoids import Monoid, monoid
from cmow.errors import ConfigError

STORAGES: tuple[Storage, ...] = get_args(Storage)


@dataclass(frozen=True, eq=False)
class Part:
    """A named table and its composition; the table may be stored with reduced precision.

    :param size: length of a vector (sum) or number of rows of a matrix (product).
    :param table: a row a word, matrices by columns; float32, float16, or int8 with ``scales``.
    :param scales: of an int8 table: a row means ``neutral element + scale · row``.
    """

    name: str
    composition: str
    size: int
    table: NDArray[Any]
    scales: Floats | None = None

    def __post_init__(self) -> None:
        shape, dtype = self.table.shape, self.table.dtype
        if len(shape) != 2 or shape[1] != self.monoid.width:
            raise ConfigError(
                f"part {self.name!r}: {self.composition}({self.size}) needs rows of "
                f"{self.monoid.width} numbers, the table's shape is {shape}"
            )
        if dtype.name not in STORAGES:
            raise ConfigError(f"part {self.name!r}: {dtype} table; use one of {STORAGES}")
        if (dtype == np.int8) != (self.scales is not None):
            raise ConfigError(f"part {self.name!r}: scales belong to int8 tables, and only there")
        if self.scales is not None and self.scales.shape != shape[:1]:
            raise ConfigError(f"part {self.name!r}: {self.scales.shape} scales for {shape[0]} rows")
        object.__setattr__(self, "table", _read_only(self.table))

    @cached_property
    def monoid(self) -> Monoid:
        """How rows compose."""
        return monoid(self.composition, self.size)

    @property
    def width(self) -> int:
        """Numbers this part contributes to an embedding."""
        return self.monoid.width

    @property
    def storage(self) -> str:
        """The table's type: float32, float16 or int8."""
        return str(self.table.dtype)

    def rows(self, select: slice | NDArray[np.int32] = slice(None)) -> Floats:
        """The selected rows as float32."""
        rows = self.table[select].astype(np.float32)
        if self.scales is not None:
            rows *= self.scales[select, None]
            rows += self.monoid.neutral()
        return rows


def unique_names(names: Iterable[str]) -> list[str]:
    """The same names with a number behind each repetition: cbow, cmow, cbow-2."""
    seen: list[str] = []
    for name in names:
        number, candidate = 1, name
        while candidate in seen:
            number += 1
            candidate = f"{name}-{number}"
        seen.append(candidate)
    return seen


def _read_only(table: NDArray[Any]) -> NDArray[Any]:
    view = np.ascontiguousarray(table).view(np.ndarray)
    view.flags.writeable = False
    return view
