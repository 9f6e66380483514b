"""Short rows that tell which long ones can be alike, at a fraction of the cost."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Floats
from cmow.numbers import meant, stored

WIDTH = 128  # numbers of a sketch
SAMPLE = 8192  # rows whose main directions are those of all
STEPS = 4  # towards them
BLOCK = 16_384
SLACK = 1e-4  # what float32 may round away


class Sketches(NamedTuple):
    """A short row for each row, in bytes.

    :param margin: the product of two rows is at most that of their sketches and this
    """

    rows: NDArray[Any]
    scales: Floats
    margin: float


def sketch(rows: NDArray[Any]) -> Sketches:
    """A row's part along the main directions of all, and behind it the length of its rest.

    The rests of two rows multiply to no more than their lengths do: so the sketches multiply to no
    less than the rows.
    """
    directions = _directions(rows) if rows.shape[1] > WIDTH else None
    pieces, scales, error, norm = [], [], 0.0, 0.0
    for start in range(0, len(rows), BLOCK):
        some = meant(rows[start : start + BLOCK], None)
        if directions is not None:
            along = some @ directions
            rest = (some**2).sum(1) - (along**2).sum(1)
            some = np.column_stack([along, np.sqrt(np.maximum(rest, 0))])
        numbers, scale = stored(some, "int8")
        assert scale is not None
        pieces.append(numbers)
        scales.append(scale)
        error = max(error, float(np.linalg.norm(some - meant(numbers, scale), axis=1).max()))
        norm = max(norm, float(np.linalg.norm(some, axis=1).max()))
    return Sketches(
        np.concatenate(pieces), np.concatenate(scales), error * (2 * norm + error) + SLACK
    )


def _directions(rows: NDArray[Any]) -> Floats:
    """An orthonormal basis of about the directions in which a sample of the rows is largest."""
    sample = meant(rows[:: max(1, len(rows) // SAMPLE)], None)
    start = np.random.default_rng(0).standard_normal((rows.shape[1], WIDTH - 1))
    basis: Floats = np.linalg.qr(start)[0].astype(np.float32)
    for _ in range(STEPS):
        basis = np.linalg.qr(sample.T @ (sample @ basis))[0]
    return basis
