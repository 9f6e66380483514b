"""The protocols with SentEval's own classifier, as published figures have it."""

import numpy as np
from numpy.random import Generator

from cmow.arrays import Int64s
from cmow.evaluation.early_stopping import Split, Trained, train_stopped
from cmow.evaluation.protocols import FOLDS, Outcome, Samples, percentage, stratified_folds

PENALTIES = (1e-5, 1e-4, 1e-3, 1e-2)  # of equally good ones the first is taken
CHECKED = 0.05  # of the training samples: they say when to stop, where no others are there to


def cross_validated(samples: Samples, *, seed: int) -> Outcome:
    """Nested cross-validation: ten test folds, the penalty chosen by ten folds of the rest."""
    features, labels = samples
    random = np.random.default_rng(seed)
    outer = stratified_folds(labels, random)
    rests = [np.flatnonzero(outer != fold) for fold in range(FOLDS)]
    choices = [_chosen(_searched(samples, rest, random)) for rest in rests]
    penalties = [[PENALTIES[choice]] for choice, _ in choices]
    splits = [_split(rest, random) for rest in rests]
    final = train_stopped(samples, samples, splits, penalties, random)
    predictions = np.empty_like(labels)
    for fold in range(FOLDS):
        test = outer == fold
        predictions[test] = final.predict(features[test], fold, 0)
    right = predictions == labels
    return Outcome(
        accuracy=float(np.mean([percentage(right[outer == fold]) for fold in range(FOLDS)])),
        development=float(np.mean([score for _, score in choices])),
        strengths=tuple(penalty for (penalty,) in penalties),
        predictions=predictions,
        converged=bool(final.stopped.all()),
    )


def cross_validated_then_tested(train: Samples, test: Samples, *, seed: int) -> Outcome:
    """The penalty chosen by ten folds of the training samples, the score on the test samples."""
    random = np.random.default_rng(seed)
    everything = np.arange(len(train.labels))
    choice, development = _chosen(_searched(train, everything, random))
    splits, penalties = [_split(everything, random)], [[PENALTIES[choice]]]
    final = train_stopped(train, train, splits, penalties, random)
    return _tested(final, 0, test, development)


def tuned_on_development(
    train: Samples, development: Samples, test: Samples, *, seed: int
) -> Outcome:
    """The penalty chosen on the development samples, which say when to stop as well."""
    split = Split(np.arange(len(train.labels)), np.arange(len(development.labels)))
    found = train_stopped(train, development, [split], [PENALTIES], np.random.default_rng(seed))
    choice, score = _chosen(found)
    return _tested(found, choice, test, score)


def _searched(samples: Samples, rows: Int64s, random: Generator) -> Trained:
    """Classifiers with every penalty, each fold of these samples held out once."""
    folds = stratified_folds(samples.labels[rows], random)
    splits = [Split(rows[folds != fold], rows[folds == fold]) for fold in range(FOLDS)]
    return train_stopped(samples, samples, splits, [PENALTIES] * FOLDS, random)


def _chosen(found: Trained) -> tuple[int, float]:
    """The best penalty's number, and its accuracy: to two decimals, as the toolkit rounds."""
    scores = found.accuracy.mean(axis=0).round(2)
    choice = int(scores.argmax())
    return choice, float(scores[choice])


def _split(rows: Int64s, random: Generator) -> Split:
    """Some samples held out, to say when to stop."""
    shuffled = random.permutation(rows)
    checked = int(CHECKED * len(rows))
    return Split(shuffled[checked:], shuffled[:checked])


def _tested(found: Trained, choice: int, test: Samples, development: float) -> Outcome:
    """The outcome of the first split's classifier with the penalty of this number."""
    predictions = found.predict(test.features, 0, choice)
    return Outcome(
        accuracy=percentage(predictions == test.labels),
        development=development,
        strengths=(float(found.penalties[0, choice]),),
        predictions=predictions,
        converged=bool(found.stopped[0, choice]),
    )
