import numpy as np
import pytest
from scipy.special import logsumexp
from sklearn.linear_model import LogisticRegression

from cmow.evaluation import logistic
from cmow.evaluation.logistic import fit


def samples(classes, *, apart, number=300, size=12, seed=0):
    """Gaussian clouds around a center a class, of features with different scales."""
    random = np.random.default_rng(seed)
    labels = random.integers(0, classes, number)
    centres = apart * random.standard_normal((classes, size))
    scales = np.geomspace(0.1, 5, size)
    features = (centres[labels] + random.standard_normal((number, size))) * scales + 3
    return features.astype(np.float32), labels


def reference(features, labels, penalty):
    """scikit-learn's optimum of the same function."""
    binary = labels.max() == 1
    strength = len(labels) * penalty / (2 if binary else 1)
    model = LogisticRegression(C=1 / strength, tol=1e-10, max_iter=20_000)
    return model.fit(features.astype(np.float64), labels)


def objective(features, labels, weights, bias, penalty):
    """The mean cross-entropy and the penalty, of the weights of a softmax."""
    if len(weights) == 1:  # one column stands for two with opposite weights of half its size
        weights, bias = np.vstack([-weights, weights]) / 2, np.append(-bias, bias) / 2
    logits = features.astype(np.float64) @ weights.T + bias
    chosen = logits[np.arange(len(labels)), labels]
    return (logsumexp(logits, axis=1) - chosen).mean() + penalty / 2 * np.square(weights).sum()


@pytest.mark.parametrize("classes", [2, 3, 7])
@pytest.mark.parametrize("apart", [0.3, 3])  # overlapping, and separable
def test_same_optimum_as_scikit_learn(classes, apart):
    features, labels = samples(classes, apart=apart)
    subsets = np.random.default_rng(1).random((len(labels), 3)) < 0.8
    penalties = [1.0, 0.1, 1e-3]
    quick = fit(features, labels, subsets=subsets, penalties=penalties)
    exact = fit(features, labels, subsets=subsets, penalties=penalties, tolerance=1e-6, passes=1000)
    assert quick.converged.all()
    for subset, number in np.ndindex(3, 3):
        chosen, penalty = subsets[:, subset], penalties[number]
        problem = features[chosen], labels[chosen]
        expected = reference(*problem, penalty)
        optimum = objective(*problem, expected.coef_, expected.intercept_, penalty)
        for found, tolerance in ((quick, 1e-3), (exact, 1e-5)):
            weights, bias = found.weights[..., subset, number].T, found.bias[:, subset, number]
            value = objective(*problem, weights, bias, penalty)
            assert value == pytest.approx(optimum, abs=tolerance)
        scale = np.abs(expected.coef_).max()
        np.testing.assert_allclose(weights, expected.coef_, atol=1e-3 * scale)


@pytest.mark.parametrize("classes", [2, 5])
def test_same_predictions_as_scikit_learn(classes):
    features, labels = samples(classes, apart=0.5, number=500)
    train = np.arange(500) < 400
    found = fit(features, labels, subsets=train[:, None], penalties=[0.01])
    expected = reference(features[train], labels[train], 0.01)
    same = found.predict(features[~train])[:, 0, 0] == expected.predict(features[~train])
    assert same.mean() > 0.98


def test_samples_outside_a_subset_do_not_count():
    features, labels = samples(2, apart=0.5)
    subset = np.arange(len(labels)) < 200
    spoilt = labels.copy()
    spoilt[200:] = 1 - spoilt[200:]
    one = fit(features, labels, subsets=subset[:, None], penalties=[0.1], tolerance=1e-5)
    other = fit(features, spoilt, subsets=subset[:, None], penalties=[0.1], tolerance=1e-5)
    np.testing.assert_allclose(one.weights, other.weights, atol=1e-4)


def test_one_after_the_other_is_the_same_as_all_together(monkeypatch):
    features, labels = samples(5, apart=0.5)
    arguments = {"subsets": np.ones((len(labels), 1), bool), "penalties": [1.0, 0.1, 0.01]}
    together = fit(features, labels, **arguments, tolerance=1e-5, passes=1000)
    monkeypatch.setattr(logistic, "BATCH", 5)
    alone = fit(features, labels, **arguments, tolerance=1e-5, passes=1000)
    np.testing.assert_allclose(together.weights, alone.weights, atol=1e-3)


@pytest.mark.parametrize("classes", [2, 5])
def test_rough_solutions_are_a_start(classes):
    features, labels = samples(classes, apart=0.5)
    arguments = {"subsets": np.random.default_rng(1).random((len(labels), 2)) < 0.8}
    rough = fit(features, labels, **arguments, penalties=[1.0, 0.01], tolerance=1e-1)
    arguments |= {"penalties": [0.01], "tolerance": 1e-5, "passes": 1000}
    anew = fit(features, labels, **arguments)
    refined = fit(features, labels, **arguments, start=rough.only(1))
    np.testing.assert_allclose(refined.weights, anew.weights, atol=1e-3)
    np.testing.assert_allclose(refined.bias, anew.bias, atol=3e-3)
    done = fit(features, labels, **{**arguments, "passes": 1}, start=refined)
    assert done.converged.all()


def test_blocks_of_rows_do_not_matter(monkeypatch):
    features, labels = samples(3, apart=0.5, number=900)
    arguments = {"subsets": np.ones((900, 1), bool), "penalties": [0.1]}
    whole = fit(features, labels, **arguments)
    monkeypatch.setattr(logistic, "BLOCK", 1)
    blocks = fit(features, labels, **arguments)
    np.testing.assert_allclose(whole.weights, blocks.weights, atol=1e-4)
    np.testing.assert_array_equal(whole.predict(features), blocks.predict(features))


def test_huge_and_constant_features_do_no_harm():
    features, labels = samples(2, apart=0.5)
    features[0] *= 1e6
    features[:, 1] = 7
    found = fit(features, labels, subsets=np.ones((len(labels), 1), bool), penalties=[1.0])
    assert np.isfinite(found.weights).all()


def test_a_single_class_is_predicted():
    features, _ = samples(2, apart=1)
    labels = np.zeros(len(features), np.int64)
    found = fit(features, labels, subsets=np.ones((len(labels), 1), bool), penalties=[1.0])
    assert not found.predict(features).any()
