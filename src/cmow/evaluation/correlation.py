"""Pearson's and Spearman's correlation."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from cmow.arrays import Doubles


def pearson(left: ArrayLike, right: ArrayLike) -> float:
    """Pearson's correlation; zero where one side does not vary."""
    one, other = (_centred(np.asarray(side, np.float64)) for side in (left, right))
    norm = float(np.linalg.norm(one) * np.linalg.norm(other))
    return float(one @ other) / norm if norm > 0 else 0.0


def spearman(left: ArrayLike, right: ArrayLike) -> float:
    """Spearman's correlation: Pearson's of the ranks, equal values sharing their mean rank."""
    return pearson(_ranks(np.asarray(left)), _ranks(np.asarray(right)))


def _centred(values: Doubles) -> Doubles:
    centred: Doubles = values - values.mean()
    # What rounding leaves of a constant is no variation.
    return centred if np.ptp(values) > 0 else np.zeros_like(centred)


def _ranks(values: NDArray[np.generic]) -> Doubles:
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Doubles = (last - (counts - 1) / 2)[place]
    return ranks
