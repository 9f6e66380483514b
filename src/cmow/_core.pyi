"""Types of the compiled core; core/*_bindings.cpp is the implementation."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

def levels() -> list[str]: ...
def level() -> str: ...
def use_level(name: str) -> None: ...

class NgramCache:
    def __init__(
        self, nodes: NDArray[np.int32], rows: NDArray[np.float32], vocabulary: int
    ) -> None: ...

class Composer:
    def __init__(self) -> None: ...
    def add_sum(self, rows: NDArray[Any], scales: NDArray[np.float32] | None) -> None: ...
    def add_product(
        self,
        rows: NDArray[Any],
        scales: NDArray[np.float32] | None,
        matrix_size: int,
        rescale_every: int,
        cache: NgramCache | None,
    ) -> None: ...
    def compose(
        self,
        flat: NDArray[np.int32],
        offsets: NDArray[np.int64],
        out: NDArray[np.float32],
        normalize: int,
        threads: int,
    ) -> int: ...

def scan_table(
    rows: NDArray[Any], scales: NDArray[np.float32] | None, threads: int
) -> tuple[int, float, float]: ...
def permute(positions: NDArray[np.int64], size: int, seed: int, stream: int) -> None: ...
