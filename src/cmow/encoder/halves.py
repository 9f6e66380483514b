"""Whole numbers of four bits, two in a byte: the first in the low half, the second in the high."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST, MOST = -8, 7


def pack(numbers: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Rows of numbers as rows of bytes; a row of an odd width ends in a half of zero."""
    padded = np.zeros((len(numbers), 2 * packed_width(numbers.shape[1])), np.uint8)
    padded[:, : numbers.shape[1]] = numbers.view(np.uint8) & 15
    packed: NDArray[np.uint8] = padded[:, 0::2] | padded[:, 1::2] << np.uint8(4)
    return packed


def unpack(packed: NDArray[Any], width: int) -> NDArray[np.int8]:
    """The numbers of rows of bytes."""
    numbers = np.empty((*packed.shape[:-1], 2 * packed.shape[-1]), np.int8)
    signed = packed.view(np.int8)
    np.right_shift(np.left_shift(signed, 4), 4, out=numbers[..., 0::2])
    np.right_shift(signed, 4, out=numbers[..., 1::2])
    return numbers[..., :width]


def packed_width(width: int) -> int:
    """The bytes of a row of so many numbers."""
    return (width + 1) // 2
