"""Cross-validation folds that hold every class in proportion."""

import numpy as np

from cmow.arrays import Int64s
from cmow.errors import ConfigError
from cmow.evaluation.logistic import Labels

FOLDS = 10


def stratified_folds(labels: Labels, random: np.random.Generator) -> Int64s:
    """The fold of each sample: every class is dealt out in random order, one fold at a time."""
    if len(labels) < FOLDS:
        raise ConfigError(f"{FOLDS} folds need at least {FOLDS} samples, not {len(labels)}")
    shuffled = random.permutation(len(labels))
    by_class = shuffled[np.argsort(labels[shuffled], kind="stable")]
    folds = np.empty(len(labels), np.int64)
    folds[by_class] = np.arange(len(labels)) % FOLDS
    return folds
