"""Kinds of arrays."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Embeddings = NDArray[np.floating[Any]]  # float32 or float16, as was asked for
