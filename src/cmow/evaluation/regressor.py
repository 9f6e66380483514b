"""SentEval's regressor of similarity scores: a softmax over the scores 1 to 5."""

from typing import NamedTuple

import numpy as np

from cmow.arrays import Doubles, Floats
from cmow.evaluation.adam import Adam
from cmow.evaluation.correlation import pearson
from cmow.evaluation.product import product

SCORES = np.arange(1, 6, dtype=np.float32)
BATCH = 64
EPOCHS_BETWEEN_CHECKS = 50
CHECKS = 21  # at most 1,050 epochs
PATIENCE = 4  # checks without a better correlation, counted from the beginning


class ScoredPairs(NamedTuple):
    """Features of pairs of texts and the score of each."""

    features: Floats
    scores: Doubles


class Regression(NamedTuple):
    """Predicted scores of the test pairs, and Pearson's correlation on the development pairs."""

    predictions: Floats
    development: float


def regress(
    train: ScoredPairs, development: ScoredPairs, test: ScoredPairs, *, seed: int
) -> Regression:
    """Learn to score pairs; the epoch that scores the development pairs best is taken.

    Each score is a distribution over its two neighboring whole scores, predicted by a softmax
    with a squared loss, and the expected score is the prediction. Stopping early is all that
    holds the weights back, so the path to it is part of the protocol: Adam, in batches of 64.
    """
    random = np.random.default_rng(seed)
    learner = _Learner(train.features.shape[1], random)
    targets = target_distributions(train.scores)
    best, weights, failures = -np.inf, learner.weights, 0
    for _ in range(CHECKS):
        for _ in range(EPOCHS_BETWEEN_CHECKS):
            learner.epoch(train.features, targets, random)
        correlation = pearson(learner.predict(development.features), development.scores)
        if correlation > best:
            best, weights = correlation, [array.copy() for array in learner.weights]
        else:
            failures += 1
            if failures == PATIENCE:
                break
    learner.weights = weights
    return Regression(learner.predict(test.features), best)


def target_distributions(scores: Doubles) -> Floats:
    """Each score as weights of its two neighboring whole scores.

    As in SentEval, the share of a score below 1 that would belong to 0 is dropped.
    """
    whole = np.floor(scores)
    above = np.maximum(0, 1 - np.abs(SCORES - (whole + 1)[:, None])) * (scores - whole)[:, None]
    below = np.maximum(0, 1 - np.abs(SCORES - whole[:, None])) * (whole + 1 - scores)[:, None]
    targets: Floats = (above + below).astype(np.float32)
    return targets


class _Learner:
    """A linear layer under a softmax, trained by Adam."""

    def __init__(self, dimensions: int, random: np.random.Generator) -> None:
        bound = dimensions**-0.5
        shapes = ((dimensions, len(SCORES)), (len(SCORES),))
        self.weights = [random.uniform(-bound, bound, s).astype(np.float32) for s in shapes]
        self.adam = Adam(self.weights)
        self.steps = 0

    def epoch(self, features: Floats, targets: Floats, random: np.random.Generator) -> None:
        """One pass over the training pairs in random order."""
        order = random.permutation(len(features))
        features, targets = features[order], targets[order]
        for start in range(0, len(features), BATCH):
            batch = features[start : start + BATCH]
            chances = self._softmax(batch)
            errors = (chances - targets[start : start + BATCH]) * (2 / chances.size)
            errors = chances * (errors - (chances * errors).sum(axis=1, keepdims=True))
            self.steps += 1
            self.adam.step([batch.T @ errors, errors.sum(axis=0)], self.steps)

    def predict(self, features: Floats) -> Floats:
        """The expected score of each pair."""
        expected: Floats = product(self._softmax(features), SCORES)
        return expected

    def _softmax(self, features: Floats) -> Floats:
        logits = features @ self.weights[0] + self.weights[1]
        chances = np.exp(logits - logits.max(axis=1, keepdims=True))
        normalised: Floats = chances / chances.sum(axis=1, keepdims=True)
        return normalised
