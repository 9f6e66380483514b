import numpy as np
import pytest
from scipy import stats

from cmow.evaluation.tasks.similarity import PROTOCOLS, correlations, cosine


def test_protocols_by_hand():
    predicted = {"a": np.array([1.0, 2.0, 3.0]), "b": np.array([1.0, 2.0, 4.0, 3.0])}
    gold = {"a": np.array([1.0, 2.0, 3.0]), "b": np.array([4.0, 3.0, 1.0, 2.0])}
    scores = correlations(predicted, gold)
    assert set(scores) == set(PROTOCOLS)
    assert scores["Pearson, mean of sub-sets"] == pytest.approx(0)  # +100 and −100
    assert scores["Pearson, weighted by size"] == pytest.approx(-100 / 7)
    # All: (1,1) (2,2) (3,3) (1,4) (2,3) (4,1) (3,2); the means are 16/7.
    assert scores["Pearson, all pairs"] == pytest.approx(100 * (34 - 256 / 7) / (44 - 256 / 7))
    assert scores["Spearman, mean of sub-sets"] == pytest.approx(0)
    assert scores["Spearman, weighted by size"] == pytest.approx(-100 / 7)
    together = [np.concatenate(list(side.values())) for side in (predicted, gold)]
    assert scores["Spearman, all pairs"] == pytest.approx(100 * stats.spearmanr(*together)[0])


def test_cosine_by_hand():
    left = np.array([[1, 0], [1, 1], [0, 0], [3, 4]], np.float32)
    right = np.array([[0, 2], [1, 0], [1, 1], [-3, -4]], np.float32)
    np.testing.assert_allclose(cosine(left, right), [0, 0.5**0.5, 0, -1], atol=1e-7)
