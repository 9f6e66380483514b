"""The product of two matrices, without a warning that means nothing."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Floats


def product(left: Floats, right: Floats) -> NDArray[Any]:
    """The product of features, known to be finite, with weights.

    OpenBLAS 0.3.31 computes rows of five float32 in eight lanes: the lanes that it throws away
    hold whatever lay on the stack, and now and then raise the flag of an invalid operation.
    """
    with np.errstate(invalid="ignore"):
        return left @ right
