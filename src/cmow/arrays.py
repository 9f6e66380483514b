"""Kinds of arrays, and the way from one to another."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Booleans = NDArray[np.bool_]
Embeddings = NDArray[np.floating[Any]]  # float32 or float16, as was asked for


def like(array: NDArray[Any], other: Any) -> Any:
    """An array as another one is: of NumPy or PyTorch, of its type, on its device."""
    if isinstance(other, np.ndarray):
        return array.astype(other.dtype, copy=False)
    import torch

    return torch.from_numpy(array).to(other)
