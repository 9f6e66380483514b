"""SentEval's own classifier: a softmax over a linear layer, trained by Adam and stopped early."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.random import Generator

from cmow.arrays import Booleans, Doubles, Floats, Int64s
from cmow.evaluation.adam import Adam
from cmow.evaluation.logistic import Labels
from cmow.evaluation.product import product
from cmow.evaluation.protocols import Samples

BATCH = 64
EPOCHS_BETWEEN_CHECKS = 4
CHECKS = 51  # at most 204 epochs
FAILURES = 6  # checks without a better accuracy, counted from the beginning


class Split(NamedTuple):
    """What a classifier is trained on, and what says when to stop: numbers of samples."""

    training: Int64s
    checking: Int64s


class Trained(NamedTuple):
    """A classifier for each split and each of its penalties.

    :param weights: (splits, features, penalties, classes).
    :param bias: (splits, 1, penalties, classes).
    :param penalties: the weight decay: (splits, penalties).
    :param accuracy: on the samples to check on, in points: (splits, penalties).
    :param stopped: before the last of all epochs: (splits, penalties).
    """

    weights: Floats
    bias: Floats
    penalties: Doubles
    accuracy: Doubles
    stopped: Booleans

    def predict(self, features: Floats, split: int, penalty: int) -> Labels:
        """The classes of samples by one of the classifiers."""
        logits = product(features, self.weights[split, :, penalty]) + self.bias[split, :, penalty]
        return np.asarray(logits.argmax(axis=1), np.int64)


def train_stopped(
    samples: Samples,
    checked: Samples,
    splits: Sequence[Split],
    penalties: Sequence[Sequence[float]],
    random: Generator,
) -> Trained:
    """Train a classifier for every split and each of its penalties, all in step.

    Every four epochs each is tried on its samples to check on. The sixth time that it is no better
    than it was at its best ends it, and it is taken as it was then. All start from the same
    weights, and those of a split see the same batches.

    :param checked: what the splits' samples to check on are taken from.
    """
    decay = np.asarray(penalties, np.float64)
    stack = _Stack(samples, splits, decay, random)
    best, never = np.full(decay.shape, -np.inf), np.zeros(decay.shape, bool)
    found = Trained(stack.weights.copy(), stack.bias.copy(), decay, best, never)
    failures = np.zeros(decay.shape, np.int64)
    for _ in range(CHECKS):
        for _ in range(EPOCHS_BETWEEN_CHECKS):
            stack.epoch()
        for row, split in enumerate(stack.splits):
            chosen = splits[split].checking
            right = stack.decide(row, checked.features[chosen]) == checked.labels[chosen, None]
            accuracy = 100 * right.mean(axis=0)
            better = (accuracy > found.accuracy[split]) & ~found.stopped[split]
            found.weights[split, :, better] = stack.weights[row, :, better]
            found.bias[split, :, better] = stack.bias[row, :, better]
            found.accuracy[split, better] = accuracy[better]
            failures[split] += ~better
            found.stopped[split] = failures[split] >= FAILURES
        stack.keep([n for n, split in enumerate(stack.splits) if not found.stopped[split].all()])
        if not stack.splits:
            break
    return found


class _Stack:
    """The classifiers that are still in training.

    One matrix product serves all penalties of a split, which see the same batches.
    """

    def __init__(
        self, samples: Samples, splits: Sequence[Split], penalties: Doubles, random: Generator
    ) -> None:
        self.samples, self.random = samples, random
        # The largest first, so that those with a further batch are the first ones.
        self.splits = sorted(range(len(splits)), key=lambda split: -len(splits[split].training))
        self.training = [splits[split].training for split in self.splits]
        self.decay = penalties[self.splits, None, :, None].astype(np.float32)
        self.steps = np.zeros((len(splits), 1, 1, 1))
        dimensions, self.classes = samples.features.shape[1], int(samples.labels.max()) + 1
        bound = dimensions**-0.5
        starts = [
            random.uniform(-bound, bound, (rows, 1, self.classes)).astype(np.float32)
            for rows in (dimensions, 1)
        ]
        repeats = len(splits), 1, penalties.shape[1], 1
        self.adam = Adam([np.tile(start, repeats) for start in starts])

    @property
    def weights(self) -> Floats:
        """Of all features: (splits, features, penalties, classes)."""
        return self.adam.parameters[0]

    @property
    def bias(self) -> Floats:
        """The same with one row: (splits, 1, penalties, classes)."""
        return self.adam.parameters[1]

    def epoch(self) -> None:
        """A pass of each split over its samples, in random order."""
        orders = [self.random.permutation(rows) for rows in self.training]
        for start in range(0, len(orders[0]), BATCH):
            self._step([order[start : start + BATCH] for order in orders if len(order) > start])

    def decide(self, row: int, features: Floats) -> Labels:
        """The classes of samples by the classifiers of a split: (samples, penalties)."""
        logits = product(features, self._flat(self.weights[row])) + self._flat(self.bias[row])
        return np.asarray(logits.reshape(len(features), -1, self.classes).argmax(axis=2), np.int64)

    def keep(self, rows: list[int]) -> None:
        """Go on with these splits only."""
        self.adam.keep(rows)
        self.splits = [self.splits[row] for row in rows]
        self.training = [self.training[row] for row in rows]
        self.decay, self.steps = self.decay[rows], self.steps[rows]

    def _step(self, batches: Sequence[Int64s]) -> None:
        """Learn from a batch of each of the first splits; some may be smaller at an epoch's end."""
        rows = slice(len(batches))
        shape = len(batches), len(batches[0])
        chosen, shares = np.zeros(shape, np.int64), np.zeros(shape, np.float32)
        for row, batch in enumerate(batches):
            chosen[row, : len(batch)] = batch
            shares[row, : len(batch)] = 1 / len(batch)
        features, labels = self.samples.features[chosen], self.samples.labels[chosen]
        weights, bias = self.weights[rows], self.bias[rows]
        errors = product(features, self._flat(weights)) + self._flat(bias)
        self._turn_into_errors(errors.reshape(*shape, -1, self.classes), labels)
        errors *= shares[..., None]
        of_weights = product(features.transpose(0, 2, 1), errors).reshape(weights.shape)
        of_bias = errors.sum(axis=1).reshape(bias.shape)
        decay = self.decay[rows]
        self.steps[rows] += 1
        self.adam.step([of_weights + decay * weights, of_bias + decay * bias], self.steps[rows])

    def _flat(self, array: Floats) -> Floats:
        """All classes of all penalties as columns."""
        return array.reshape(*array.shape[:-2], -1)

    @staticmethod
    def _turn_into_errors(logits: Floats, labels: Labels) -> None:
        """From logits of samples to predicted less true probabilities, in place."""
        logits -= logits.max(axis=-1, keepdims=True)
        np.exp(logits, out=logits)
        logits /= logits.sum(axis=-1, keepdims=True)
        splits, samples = np.arange(len(labels))[:, None], np.arange(labels.shape[1])
        logits[splits, samples, :, labels] -= 1
