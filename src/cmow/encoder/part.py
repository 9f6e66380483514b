"""A part of an encoder: a table with one row a word, and the monoid that its rows are lifted to."""

from dataclasses import InitVar, dataclass
from functools import cached_property
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from cmow import _core
from cmow.arrays import Floats, Int32s
from cmow.choices import Storage
from cmow.encoder.halves import packed_width, unpack
from cmow.encoder.parts import Monoid
from cmow.encoder.shapes import PartShape
from cmow.errors import ConfigError, FormatError
from cmow.threads import thread_count

STORAGES: tuple[Storage, ...] = get_args(Storage)
TABLE_TYPES: dict[Storage, str] = {storage: storage for storage in STORAGES} | {"int4": "uint8"}
SCALED: tuple[Storage, ...] = ("int8", "int4")  # whose rows have a scale each
LARGEST_MAGNITUDE = 2.0**60


class Magnitudes(NamedTuple):
    """The smallest and the largest of the rows' largest magnitudes."""

    smallest: float
    largest: float


@dataclass(frozen=True, eq=False)
class Part:
    """A named table and its monoid; the table may be stored with reduced precision.

    :param table: a row a word, matrices by columns; float32, float16, or with ``scales`` int8, or
        uint8 for two numbers of four bits in a byte, the first in its low half.
    :param scales: of an int8 or int4 table: a row means ``origin + scale · row``.
    :param known: magnitudes of a table that need not be read for them; ``dataclasses.replace``
        does not hand them on, since the table may be another one.
    """

    name: str
    shape: PartShape
    table: NDArray[Any]
    scales: Floats | None = None
    known: InitVar[Magnitudes | None] = None

    def __post_init__(self, known: Magnitudes | None) -> None:
        shape, dtype, types = self.table.shape, self.table.dtype, tuple(TABLE_TYPES.values())
        if dtype.name not in types:
            raise ConfigError(f"part {self.name!r}: {dtype} table; use one of {types}")
        columns = table_columns(self.storage, self.monoid.row_width)
        if len(shape) != 2 or shape[1] != columns:
            raise ConfigError(
                f"part {self.name!r}: {self.shape} needs rows of {self.monoid.row_width} numbers, "
                f"{columns} columns of {dtype}; the table's shape is {shape}"
            )
        if (self.storage in SCALED) != (self.scales is not None):
            raise ConfigError(
                f"part {self.name!r}: scales belong to {' and '.join(SCALED)} tables, and only "
                "there"
            )
        if self.scales is not None and self.scales.shape != shape[:1]:
            raise ConfigError(f"part {self.name!r}: {self.scales.shape} scales for {shape[0]} rows")
        object.__setattr__(self, "table", _read_only(self.table))
        if known is not None:
            object.__setattr__(self, "magnitudes", known)

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
        """The type of the table's numbers: float32, float16, int8 or int4."""
        return next(name for name, kind in TABLE_TYPES.items() if kind == self.table.dtype.name)

    @property
    def native_table(self) -> NDArray[Any]:
        """The table as the core takes it: float16 by its bits."""
        return self.table.view(np.uint16) if self.table.dtype == np.float16 else self.table

    @cached_property
    def magnitudes(self) -> Magnitudes:
        """How large the rows are; the whole table is read for it unless it is known."""
        return self.scan()

    def scan(self) -> Magnitudes:
        """Read the whole table for its magnitudes, and refuse one with NaN or infinity."""
        bad, smallest, largest = _core.scan_table(
            self.native_table, self.scales, thread_count(None)
        )
        if bad >= 0:
            raise FormatError(f"part {self.name!r}: NaN or infinity in row {bad}")
        origin = float(np.abs(self.monoid.origin()).max())
        if origin > 0 and self.scales is not None:
            # Only the deviation from the origin was scanned.
            smallest = origin / 2 if largest <= origin / 2 else 2.0**-10
            largest = origin + largest
        if largest > LARGEST_MAGNITUDE:
            raise FormatError(
                f"part {self.name!r}: a row has the magnitude {largest:.3g}: diverged"
            )
        return Magnitudes(smallest, largest)

    def verify(self) -> None:
        """Read the whole table, and refuse one whose magnitudes are not those that are known."""
        found, known = self.scan(), self.magnitudes
        if found != known:
            raise FormatError(
                f"part {self.name!r}: rows of magnitudes {found.smallest:.3g} to "
                f"{found.largest:.3g}, not {known.smallest:.3g} to {known.largest:.3g} as recorded"
            )

    def numbers(self, select: slice | Int32s = slice(None)) -> NDArray[Any]:
        """The selected rows as they are stored, but for those of four bits, which are int8 here."""
        stored = self.table[select]
        return unpack(stored, self.monoid.row_width) if self.storage == "int4" else stored

    def rows(self, select: slice | Int32s = slice(None)) -> Floats:
        """The selected rows as float32."""
        rows = self.numbers(select).astype(np.float32)
        if self.scales is not None:
            rows *= self.scales[select, None]
            rows += self.monoid.origin()
        if not np.isfinite(rows).all():
            self.verify()
        return rows

    def deviations(self, select: slice | Int32s = slice(None)) -> Floats:
        """What is a word's own in the selected rows: what they deviate from the origin."""
        deviations: Floats = self.rows(select) - self.monoid.origin()
        return deviations


def table_columns(storage: Storage, row_width: int) -> int:
    """Columns of a table whose rows have so many numbers."""
    return packed_width(row_width) if storage == "int4" else row_width


def _read_only(table: NDArray[Any]) -> NDArray[Any]:
    view = np.ascontiguousarray(table).view(np.ndarray)
    view.flags.writeable = False
    return view
