"""Logistic regression: all folds and all penalties of a task solved as one problem."""

import logging
from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Booleans, Floats, Int64s
from cmow.evaluation.product import product
from cmow.evaluation.quasi_newton import minimise

log = logging.getLogger(__name__)

Labels = Int64s

TOLERANCE = 3e-3  # the mean loss could fall by some 1e-5 more; no score depends on that
PASSES = 100
BATCH = 2_000  # columns of weights that are solved for together
BLOCK = 1_000_000  # logits that are worked on at a time: they should stay in the cache


class Classifiers(NamedTuple):
    """A linear classifier for each subset of the samples and each penalty.

    :param weights: (features, columns, subsets, penalties); two classes share one column.
    :param bias: (columns, subsets, penalties).
    :param converged: (subsets, penalties).
    """

    weights: Floats
    bias: Floats
    converged: Booleans

    def only(self, penalty: int) -> "Classifiers":
        """Those with one of the penalties."""
        one = [penalty]
        return Classifiers(self.weights[..., one], self.bias[..., one], self.converged[..., one])

    def predict(self, features: Floats) -> Labels:
        """The class of each sample by each classifier: (samples, subsets, penalties)."""
        kinds = self.weights.shape[1:]
        flat, bias = self.weights.reshape(len(self.weights), -1), self.bias.ravel()
        rows = max(1, BLOCK // len(bias))
        blocks = [features[start : start + rows] for start in range(0, len(features), rows)]
        return np.concatenate(
            [_decide((product(b, flat) + bias).reshape(-1, *kinds)) for b in blocks]
        )


def _decide(logits: Floats) -> Labels:
    classes = logits[:, 0] > 0 if logits.shape[1] == 1 else logits.argmax(axis=1)
    return np.asarray(classes, np.int64)


def undecided(classes: int) -> float:
    """The curvature of the loss in a logit while all classes seem equally likely."""
    chance = 1 / max(2, classes)
    return chance * (1 - chance)


def fit(
    features: Floats,
    labels: Labels,
    *,
    subsets: Booleans,
    penalties: Sequence[float],
    tolerance: float = TOLERANCE,
    passes: int = PASSES,
    start: Classifiers | None = None,
) -> Classifiers:
    """Fit a classifier to every subset of the samples, with every penalty, in one go.

    Each minimizes its samples' mean cross-entropy plus penalty/2 · |weights|², where the weights
    are those of a softmax over all classes and the bias is free. The features are turned to their
    principal axes first: neither the penalty nor the optimum depends on the axes, but there the
    curvature is nearly diagonal and known, and a dozen passes do.

    :param subsets: (samples, subsets): which samples a classifier is fitted to.
    :param penalties: best from strong to weak: those of a task with very many classes are solved
        for one after the other, each from where the one before it ended.
    :param start: rough solutions for the same subsets and penalties.
    """
    axes = _principal_axes(features)
    problems = _Problems(axes.turn(features), labels, subsets, np.asarray(penalties, np.float32))
    point = problems.origin() if start is None else axes.point(start)
    inverse_curvature = problems.inverse_curvature(axes.variances)
    converged = np.zeros(len(problems.penalty), bool)
    for batch, nearest in problems.batches():
        point[..., batch], converged[batch] = minimise(
            partial(problems.gradient, batch),
            point[..., nearest if start is None else batch],
            inverse_curvature[..., batch],
            tolerance=tolerance,
            passes=passes,
        )
    if not converged.all():
        left, number = np.count_nonzero(~converged), converged.size
        log.info("%d of %d classifiers stopped after %d passes", left, number, passes)
    kinds = subsets.shape[1], len(penalties)
    weights = axes.turn_back(point[:-1]).reshape(-1, problems.columns, *kinds)
    bias = point[-1].reshape(-1, *kinds) - np.tensordot(axes.mean, weights, 1)
    return Classifiers(weights, bias, converged.reshape(kinds))


class _Axes(NamedTuple):
    """The principal axes of a set of features."""

    mean: Floats
    directions: Floats
    variances: Floats

    def turn(self, features: Floats) -> Floats:
        """The features along these axes, and a last one of ones that carries the bias."""
        turned = np.empty((len(features), features.shape[1] + 1), np.float32)
        np.matmul(features - self.mean, self.directions, out=turned[:, :-1])
        turned[:, -1] = 1
        return turned

    def point(self, classifiers: Classifiers) -> Floats:
        """Weights and, last, biases along the axes: (features + 1, columns, problems)."""
        weights, bias = classifiers.weights, classifiers.bias
        turned = np.tensordot(self.directions.T, weights, 1)
        point = np.concatenate([turned, (bias + np.tensordot(self.mean, weights, 1))[None]])
        return point.reshape(*point.shape[:2], -1)

    def turn_back(self, weights: Floats) -> Floats:
        """Weights of the features from weights along the axes."""
        return self.directions @ weights.reshape(len(weights), -1)


def _principal_axes(features: Floats) -> _Axes:
    mean = features.mean(axis=0, dtype=np.float64).astype(np.float32)
    centred = features - mean
    covariance = (centred.T @ centred).astype(np.float64) / len(features)
    variances, directions = np.linalg.eigh(covariance)
    return _Axes(mean, directions.astype(np.float32), np.maximum(variances, 0).astype(np.float32))


class _Problems:
    """The gradients of all problems over the same features.

    A problem is a pair of a subset and a penalty; the weights of all of them are one array
    (features, columns, problems), so that one matrix product serves them all.
    """

    def __init__(
        self,
        features: Floats,
        labels: Labels,
        subsets: Booleans,
        penalties: Floats,
    ) -> None:
        self.features = features
        self.labels = labels
        self.classes = int(labels.max()) + 1
        self.columns = 1 if self.classes <= 2 else self.classes
        self.shares = (subsets / np.maximum(subsets.sum(axis=0), 1)).astype(np.float32)
        self.subset = np.repeat(np.arange(subsets.shape[1]), len(penalties))
        penalty = np.tile(penalties, subsets.shape[1])
        # One column stands for two with opposite weights of half its size.
        self.penalty = penalty / 2 if self.columns == 1 else penalty

    def origin(self) -> Floats:
        """All weights zero."""
        return np.zeros((self.features.shape[1], self.columns, len(self.penalty)), np.float32)

    def batches(self) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """The problems to solve together, and those that each of them starts from."""
        problems = np.arange(len(self.penalty)).reshape(self.shares.shape[1], -1)
        if problems.size * self.columns <= BATCH:
            yield problems.ravel(), problems.ravel()
        else:
            for penalty in range(problems.shape[1]):
                yield problems[:, penalty], problems[:, max(0, penalty - 1)]

    def inverse_curvature(self, variances: Floats) -> Floats:
        """What the inverse Hessian would be if every sample were undecided between the classes."""
        curvature = np.ones((len(variances) + 1, 1, len(self.penalty)), np.float32)
        curvature[:-1] = variances[:, None, None]
        curvature *= undecided(self.classes)
        curvature[:-1] += self.penalty
        return np.repeat(1 / curvature, self.columns, axis=1)

    def gradient(
        self, batch: NDArray[np.intp], weights: Floats, chosen: NDArray[np.intp]
    ) -> Floats:
        """The gradients of the chosen problems of a batch."""
        problems = batch[chosen]
        flat = weights.reshape(len(weights), -1)
        total = np.zeros_like(flat)
        rows = int(np.clip(BLOCK // flat.shape[1], 256, 8192))
        subset = self.subset[problems]
        for start in range(0, len(self.features), rows):
            block = slice(start, start + rows)
            features, logits = self.features[block], product(self.features[block], flat)
            self._errors(
                logits.reshape(len(logits), self.columns, -1),
                self.labels[block],
                self.shares[block, None, subset],
            )
            total += features.T @ logits
        gradient = total.reshape(weights.shape)
        gradient[:-1] += self.penalty[problems] * weights[:-1]
        return gradient

    def _errors(self, logits: Floats, labels: Labels, shares: Floats) -> None:
        """Turn logits into a sample's share of predicted minus true probabilities, in place."""
        if self.columns == 1:
            with np.errstate(over="ignore"):  # exp(-logit) of infinity is a probability of zero
                np.exp(np.negative(logits, out=logits), out=logits)
            logits += 1
            np.reciprocal(logits, out=logits)
            logits -= labels[:, None, None]
            logits *= shares
        else:
            logits -= logits.max(axis=1, keepdims=True)
            np.exp(logits, out=logits)
            logits *= shares / logits.sum(axis=1, keepdims=True)
            logits[np.arange(len(logits)), labels] -= shares[:, 0]
