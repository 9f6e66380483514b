"""A part of an encoder: a table with one row a word, and the monoid that its rows are lifted to."""

from dataclasses import dataclass
from typing import Any, cast, get_args

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Floats, Int32s
from cmow.choices import Storage
from cmow.encoder.parts import Monoid
from cmow.encoder.shapes import PartShape
from cmow.errors import ConfigError

STORAGES: tuple[Storage, ...] = get_args(Storage)


@dataclass(frozen=True, eq=False)
class Part:
    """A named table and its monoid; the table may be stored with reduced precision.

    :param table: a row a word, matrices by columns; float32, float16, or int8 with ``scales``.
    :param scales: of an int8 table: a row means ``origin + scale · row``.
    """

    name: str
    shape: PartShape
    table: NDArray[Any]
    scales: Floats | None = None

    def __post_init__(self) -> None:
        shape, dtype = self.table.shape, self.table.dtype
        if len(shape) != 2 or shape[1] != self.monoid.row_width:
            raise ConfigError(
                f"part {self.name!r}: {self.shape} needs rows of "
                f"{self.monoid.row_width} numbers, the table's shape is {shape}"
            )
        if dtype.name not in STORAGES:
            raise ConfigError(f"part {self.name!r}: {dtype} table; use one of {STORAGES}")
        if (dtype == np.int8) != (self.scales is not None):
            raise ConfigError(f"part {self.name!r}: scales belong to int8 tables, and only there")
        if self.scales is not None and self.scales.shape != shape[:1]:
            raise ConfigError(f"part {self.name!r}: {self.scales.shape} scales for {shape[0]} rows")
        object.__setattr__(self, "table", _read_only(self.table))

    @property
    def monoid(self) -> Monoid:
        """How elements compose."""
        return self.shape.monoid

    @property
    def width(self) -> int:
        """Numbers this part contributes to an embedding."""
        return self.monoid.view_width

    @property
    def storage(self) -> Storage:
        """The table's type: float32, float16 or int8."""
        return cast(Storage, str(self.table.dtype))

    def rows(self, select: slice | Int32s = slice(None)) -> Floats:
        """The selected rows as float32."""
        rows = self.table[select].astype(np.float32)
        if self.scales is not None:
            rows *= self.scales[select, None]
            rows += self.monoid.origin()
        return rows

    def deviations(self, select: slice | Int32s = slice(None)) -> Floats:
        """What is a word's own in the selected rows: what they deviate from the origin."""
        deviations: Floats = self.rows(select) - self.monoid.origin()
        return deviations


def _read_only(table: NDArray[Any]) -> NDArray[Any]:
    view = np.ascontiguousarray(table).view(np.ndarray)
    view.flags.writeable = False
    return view
