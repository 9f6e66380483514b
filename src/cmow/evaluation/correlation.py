"""Pearson's and Spearman's correlation."""

import numpy as np
from numpy.typing import ArrayLike, NDArray


def pearson(left: ArrayLike, right: ArrayLike) -> float:
    """Pearson's correlation; zero where one side does not vary."""
    one, other = (_centred(np.asarray(side, np.float64)) for side in (left, right))
    norm = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / norm if norm > 0 else 0.0


def spearman(left: ArrayLike, right: ArrayLike) -> float:
    """Spearman's correlation: Pearson's of the ranks, equal values sharing their mean rank."""
    return pearson(_ranks(np.asarray(left)), _ranks(np.asarray(right)))


def _centred(values: NDArray[np.float64]) -> NDArray[np.float64]:
    centred: NDArray[np.float64] = values - values.mean()
    # What rounding leaves of a constant is no variation.
    return centred if np.ptp(values) > 0 else np.zeros_like(centred)


def _ranks(values: NDArray[np.generic]) -> NDArray[np.float64]:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: NDArray[np.float64] = (last - (counts - 1) / 2)[place]
    return ranks
