import numpy as np
import pytest

from cmow.evaluation.logistic import fit, undecided
from cmow.evaluation.protocols import (
    STRENGTHS,
    Samples,
    cross_validated,
    cross_validated_then_tested,
    spread,
    tuned_on_development,
)


def clouds(number, *, classes=2, apart=1.0, size=20, seed=0):
    random = np.random.default_rng(seed)
    centres = apart * np.random.default_rng(99).standard_normal((classes, size))
    labels = random.integers(0, classes, number)
    features = centres[labels] + random.standard_normal((number, size))
    return Samples(features.astype(np.float32), labels)


def shuffled(samples, seed=5):
    return samples._replace(labels=np.random.default_rng(seed).permutation(samples.labels))


def test_separable_samples_are_told_apart():
    assert cross_validated(clouds(200, apart=5), seed=1).accuracy == 100
    train, test = clouds(200, classes=4, apart=5), clouds(50, classes=4, apart=5, seed=1)
    assert cross_validated_then_tested(train, test, seed=1).accuracy == 100
    assert tuned_on_development(train, test, test, seed=1).accuracy == 100


@pytest.mark.parametrize("labels", [[0, 1] * 20, [0] * 20 + [1] * 20])
def test_a_few_texts_again_and_again(labels):
    """Half of all distances are zero then, or all between samples that are compared."""
    labels = np.array(labels)
    features = np.array([[3, 0, 1], [3, 2, 1]], np.float32)[labels]
    assert cross_validated(Samples(features, labels), seed=1).accuracy == 100
    same = Samples(np.ones((40, 3), np.float32), labels)
    assert cross_validated(same, seed=1).accuracy == 50


def test_shuffled_labels_give_chance():
    samples = shuffled(clouds(600, apart=5))
    assert cross_validated(samples, seed=1).accuracy == pytest.approx(50, abs=7)
    train, test = shuffled(clouds(600, apart=5)), clouds(600, apart=5, seed=1)
    outcome = cross_validated_then_tested(train, shuffled(test), seed=1)
    assert outcome.accuracy == pytest.approx(50, abs=7)
    assert outcome.development == pytest.approx(50, abs=7)


def test_the_test_fold_is_never_seen():
    """Features that name their sample allow a perfect fit and no generalization at all."""
    random = np.random.default_rng(0)
    samples = Samples(np.eye(120, dtype=np.float32), random.integers(0, 2, 120))
    assert cross_validated(samples, seed=1).accuracy == pytest.approx(50, abs=15)


@pytest.mark.parametrize("scale", [2.0**-12, 2.0**12])
def test_scaling_an_embedding_changes_nothing(scale):
    samples = clouds(300, apart=0.3)
    scaled = samples._replace(features=samples.features * np.float32(scale))
    one, other = cross_validated(samples, seed=3), cross_validated(scaled, seed=3)
    assert one.strengths == other.strengths
    assert one.accuracy == other.accuracy


def test_the_seed_decides():
    samples = clouds(200, apart=0.3)
    one, same, other = (cross_validated(samples, seed=seed) for seed in (1, 1, 2))
    assert one.accuracy == same.accuracy
    np.testing.assert_array_equal(one.predictions, same.predictions)
    assert (one.predictions != other.predictions).any()


def test_the_chosen_penalty_is_solved_to_the_end():
    train, development, test = (clouds(400, classes=3, apart=0.2, seed=seed) for seed in range(3))
    outcome = tuned_on_development(train, development, test, seed=1)
    unit = spread(train.features) * undecided(3)
    everything = np.ones((400, 1), bool)
    exact = fit(*train, subsets=everything, penalties=[outcome.strengths[0] * unit])
    assert outcome.converged
    assert np.mean(outcome.predictions == exact.predict(test.features)[:, 0, 0]) > 0.99


def test_noise_asks_for_a_strong_penalty():
    train, test = clouds(60, apart=0.2, size=50), clouds(500, apart=0.2, size=50, seed=1)
    strong = tuned_on_development(train, test, test, seed=1)
    many, others = clouds(5000, apart=2), clouds(500, apart=2)
    weak = tuned_on_development(many, others, others, seed=1)
    assert STRENGTHS.index(strong.strengths[0]) < STRENGTHS.index(weak.strengths[0]) + 1
    assert len(cross_validated(train, seed=1).strengths) == 10


def test_accuracy_is_that_of_the_predictions():
    train, test = clouds(100, apart=0.4), clouds(300, apart=0.4, seed=1)
    outcome = cross_validated_then_tested(train, test, seed=1)
    assert outcome.accuracy == 100 * np.mean(outcome.predictions == test.labels)
    assert outcome.converged
