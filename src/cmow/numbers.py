"""Vectors in fewer bits."""

from typing import Any, get_args

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


def native(rows: NDArray[Any]) -> NDArray[Any]:
    """Rows as the core takes them: float16 by its bits."""
    return rows.view(np.uint16) if rows.dtype == np.float16 else rows
