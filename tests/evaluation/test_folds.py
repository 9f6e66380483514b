import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmow.errors import ConfigError
from cmow.evaluation.protocols import FOLDS, stratified_folds


@given(st.lists(st.integers(0, 4), min_size=FOLDS, max_size=200), st.integers(0, 2**32 - 1))
def test_every_class_is_spread_evenly(labels, seed):
    labels = np.array(labels)
    folds = stratified_folds(labels, np.random.default_rng(seed))
    sizes = np.bincount(folds, minlength=FOLDS)
    assert sizes.max() - sizes.min() <= 1
    for label in np.unique(labels):
        counts = np.bincount(folds[labels == label], minlength=FOLDS)
        assert counts.max() - counts.min() <= 1


def test_the_seed_decides():
    labels = np.arange(100) % 3
    one, same, other = (stratified_folds(labels, np.random.default_rng(s)) for s in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert (one != other).any()


def test_too_few_samples():
    with pytest.raises(ConfigError, match="10 folds need at least 10 samples, not 3"):
        stratified_folds(np.zeros(3, np.int64), np.random.default_rng(0))
