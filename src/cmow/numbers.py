"""Vectors in fewer bits."""

from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Floats
from cmow.choices import RowStorage

ROW_STORAGES: tuple[RowStorage, ...] = get_args(RowStorage)
TYPES: dict[RowStorage, str] = {"float32": "<f4", "float16": "<f2", "int8": "i1"}


def stored(rows: Floats, storage: RowStorage) -> tuple[NDArray[Any], Floats | None]:
    """Rows as they are stored, and a scale for each of int8."""
    if storage != "int8":
        return rows.astype(TYPES[storage]), None
    largest = np.abs(rows).max(axis=1, initial=0)
    scales = (np.where(largest > 0, largest, 1) / 127).astype(np.float32)
    return np.rint(rows / scales[:, None]).astype(np.int8), scales


def meant(rows: NDArray[Any], scales: Floats | None) -> Floats:
    """The inverse, as near as it gets."""
    numbers: Floats = rows.astype(np.float32)
    return numbers if scales is None else numbers * scales[:, None]


class Bytes(NamedTuple):
    """Rows in int8, for searches to read less: what a product is off by is known.

    :param errors: the lengths of what the rows miss, and of what the sums of products may round
    """

    rows: NDArray[np.int8]
    scales: Floats
    errors: Floats


def as_bytes(rows: NDArray[Any]) -> Bytes:
    """Stored rows of floats in int8."""
    wide: Floats = rows.astype(np.float32)
    numbers, scales = stored(wide, "int8")
    assert scales is not None
    misses = np.linalg.norm(wide - meant(numbers, scales), axis=1)
    rounding = 2.0**-22 * (wide.shape[1] + 16) * np.linalg.norm(wide, axis=1)
    return Bytes(numbers, scales, (1.001 * misses + rounding).astype(np.float32))


def native(rows: NDArray[Any]) -> NDArray[Any]:
    """Rows as the core takes them: float16 by its bits."""
    return rows.view(np.uint16) if rows.dtype == np.float16 else rows
