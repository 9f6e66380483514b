import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from cmow.evaluation.correlation import pearson, spearman

VALUES = st.lists(st.tuples(st.integers(-50, 50), st.integers(-50, 50)), min_size=3, max_size=60)


@given(VALUES)
def test_agrees_with_scipy(pairs):
    left, right = np.array(pairs, float).T
    if np.ptp(left) == 0 or np.ptp(right) == 0:
        assert pearson(left, right) == spearman(left, right) == 0
    else:
        assert pearson(left, right) == pytest.approx(stats.pearsonr(left, right)[0], abs=1e-9)
        assert spearman(left, right) == pytest.approx(stats.spearmanr(left, right)[0], abs=1e-9)


def test_by_hand():
    assert pearson([1, 2, 3], [1, 2, 4]) == pytest.approx(3 / (2 * 14 / 3) ** 0.5)
    assert spearman([1, 2, 3], [10, 20, 1000]) == pytest.approx(1)
    assert spearman([1, 1, 2], [1, 2, 3]) == pytest.approx(0.75**0.5)


def test_rounding_is_no_variation():
    assert pearson(np.full(7, 0.1), np.arange(7)) == 0
