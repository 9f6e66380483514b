"""SentEval's three ways to choose the penalty and to score a classifier."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cmow.arrays import Booleans, Doubles, Floats, Int64s
from cmow.errors import ConfigError
from cmow.evaluation.logistic import TOLERANCE, Classifiers, Labels, fit, undecided

FOLDS = 10

# Penalties, in units of the curvature that a typical feature gives the loss: neither scaling an
# embedding nor the number of classes changes their effect. Of equally good ones the first is taken.
STRENGTHS = tuple(4.0**-exponent for exponent in range(-1, 6))

# Where a development set decides, on solutions whose mean loss could fall by some 5e-4 more: that
# tells good penalties from bad ones, and only the chosen one is solved to the end.
ROUGH = 3e-2


class Samples(NamedTuple):
    """Features and the class of each sample, counted from 0."""

    features: Floats
    labels: Labels


class Outcome(NamedTuple):
    """How well a classifier did.

    :param accuracy: on the test samples, in points.
    :param development: accuracy where the penalty was chosen, in points.
    :param strengths: the penalties chosen, as the classifier measures them.
    :param predictions: the classes of the test samples.
    :param converged: whether the classifiers that were tested had come to their end.
    """

    accuracy: float
    development: float
    strengths: tuple[float, ...]
    predictions: Labels
    converged: bool


def stratified_folds(labels: Labels, random: np.random.Generator) -> Int64s:
    """The fold of each sample: every class is dealt out in random order, one fold at a time."""
    if len(labels) < FOLDS:
        raise ConfigError(f"{FOLDS} folds need at least {FOLDS} samples, not {len(labels)}")
    shuffled = random.permutation(len(labels))
    by_class = shuffled[np.argsort(labels[shuffled], kind="stable")]
    folds = np.empty(len(labels), np.int64)
    folds[by_class] = np.arange(len(labels)) % FOLDS
    return folds


def cross_validated(samples: Samples, *, seed: int) -> Outcome:
    """Nested cross-validation: ten test folds, the penalty chosen by ten folds of the rest."""
    features, labels = samples
    random = np.random.default_rng(seed)
    outer = stratified_folds(labels, random)
    inner = np.full((FOLDS, len(labels)), FOLDS)
    for fold in range(FOLDS):
        inner[fold, outer != fold] = stratified_folds(labels[outer != fold], random)
    searched = (inner[:, None] != np.arange(FOLDS)[:, None]) & (inner[:, None] != FOLDS)
    tested = outer != np.arange(FOLDS)[:, None]
    subsets = np.concatenate([searched.reshape(FOLDS * FOLDS, -1), tested]).T
    classifiers = _fit(samples, subsets)
    predicted = classifiers.predict(features)

    predictions = np.empty_like(labels)
    choices, scores, accuracies = [], [], []
    for fold in range(FOLDS):
        guesses = predicted[:, fold * FOLDS : (fold + 1) * FOLDS]
        choice, score = _choose(guesses, labels, inner[fold])
        test = outer == fold
        predictions[test] = predicted[test, FOLDS * FOLDS + fold, choice]
        choices.append(choice)
        scores.append(score)
        accuracies.append(percentage(predictions[test] == labels[test]))
    return Outcome(
        accuracy=float(np.mean(accuracies)),
        development=float(np.mean(scores)),
        strengths=tuple(STRENGTHS[choice] for choice in choices),
        predictions=predictions,
        converged=bool(classifiers.converged[-FOLDS:][range(FOLDS), choices].all()),
    )


def cross_validated_then_tested(train: Samples, test: Samples, *, seed: int) -> Outcome:
    """The penalty chosen by ten folds of the training samples, the score on the test samples."""
    folds = stratified_folds(train.labels, np.random.default_rng(seed))
    subsets = folds[:, None] != np.arange(FOLDS + 1)  # the last one holds every sample
    classifiers = _fit(train, subsets)
    choice, development = _choose(classifiers.predict(train.features), train.labels, folds)
    return _tested(classifiers.only(choice), STRENGTHS[choice], test, development)


def tuned_on_development(
    train: Samples,
    development: Samples,
    test: Samples,
    *,
    seed: int,  # noqa: ARG001 (nothing here is random)
) -> Outcome:
    """The penalty chosen on the development samples, the score on the test samples."""
    everything = np.ones((len(train.labels), 1), bool)

    def accuracies(classifiers: Classifiers) -> Doubles:
        guesses = classifiers.predict(development.features)[:, 0]
        right = guesses == development.labels[:, None]
        return np.asarray(100 * right.mean(axis=0))

    rough = _fit(train, everything, tolerance=ROUGH)
    choice = int(accuracies(rough).argmax())
    chosen = _fit(train, everything, STRENGTHS[choice : choice + 1], start=rough.only(choice))
    return _tested(chosen, STRENGTHS[choice], test, float(accuracies(chosen)[0]))


def _fit(
    samples: Samples,
    subsets: Booleans,
    strengths: Sequence[float] = STRENGTHS,
    *,
    tolerance: float = TOLERANCE,
    start: Classifiers | None = None,
) -> Classifiers:
    unit = spread(samples.features) * undecided(int(samples.labels.max()) + 1)
    return fit(
        samples.features,
        samples.labels,
        subsets=subsets,
        penalties=[strength * unit for strength in strengths],
        tolerance=tolerance,
        start=start,
    )


def spread(features: Floats) -> float:
    """The variance of a typical feature, unmoved by a few texts with huge embeddings.

    It is half the median squared distance between two different texts, divided by the dimensions.
    """
    other = np.roll(features, len(features) // 2, axis=0)
    squares = np.square(features - other).sum(axis=1, dtype=np.float64)
    if not squares.any():  # the same texts again and again; neighbors differ if any do
        squares = np.square(np.diff(features, axis=0)).sum(axis=1, dtype=np.float64)
    different = squares[squares > 0]
    return float(np.median(different)) / (2 * features.shape[1]) if different.size else 1.0


def _choose(guesses: Labels, labels: Labels, folds: Int64s) -> tuple[int, float]:
    """The best penalty's number, and the mean of its accuracies on the folds held out."""
    held_out = [
        (guesses[folds == fold, fold] == labels[folds == fold, None]).mean(axis=0)
        for fold in np.unique(folds[folds < guesses.shape[1]])
    ]
    scores = np.mean(held_out, axis=0)
    choice = int(scores.argmax())
    return choice, 100 * float(scores[choice])


def percentage(right: Booleans) -> float:
    """How many of the samples are right, in points."""
    return 100 * float(np.mean(right))


def _tested(chosen: Classifiers, strength: float, test: Samples, development: float) -> Outcome:
    """The outcome of the last subset's classifier with the chosen penalty."""
    predictions = chosen.predict(test.features)[:, -1, 0]
    return Outcome(
        accuracy=percentage(predictions == test.labels),
        development=development,
        strengths=(strength,),
        predictions=predictions,
        converged=bool(chosen.converged[-1, 0]),
    )
