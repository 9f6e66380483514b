"""Texts with labels, and pairs of texts: what the tasks' files hold."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from cmow.arrays import Doubles, Floats
from cmow.evaluation.logistic import Labels
from cmow.evaluation.protocols import Outcome, Samples
from cmow.evaluation.task import Model
from cmow.spelling import american


class Sentences(NamedTuple):
    """Texts and the class of each."""

    texts: list[str]
    labels: Labels

    @classmethod
    def of(cls, rows: Iterable[tuple[str, int]]) -> "Sentences":
        """Collect texts with their classes."""
        rows = list(rows)
        return cls([text for text, _ in rows], np.array([label for _, label in rows], np.int64))

    def samples(self, model: Model) -> Samples:
        """The embeddings as features."""
        return Samples(model.embed(self.texts), self.labels)


class Pairs(NamedTuple):
    """Pairs of texts and a value of each: a class or a score."""

    first: list[str]
    second: list[str]
    values: Doubles

    @classmethod
    def of(cls, rows: Iterable[tuple[str, str, float]]) -> "Pairs":
        """Collect pairs with their values."""
        rows = list(rows)
        values = np.array([value for _, _, value in rows], np.float64)
        return cls([first for first, _, _ in rows], [second for _, second, _ in rows], values)

    def texts(self) -> Iterator[str]:
        """All texts of all pairs."""
        yield from self.first
        yield from self.second

    def features(self, model: Model) -> Floats:
        """What the embeddings u and v of a pair are compared by: |u−v| and u·v, feature-wise."""
        first, second = model.embed(self.first), model.embed(self.second)
        return np.concatenate([np.abs(first - second), first * second], axis=1)

    def samples(self, model: Model) -> Samples:
        """The comparisons as features, the values as classes."""
        return Samples(self.features(model), self.values.astype(np.int64))


class Details(dict[str, object]):
    """Values by name, whose former spelling finds them as well."""

    def __missing__(self, name: str) -> object:
        if american(name) == name:
            raise KeyError(name)
        return self[american(name)]


def details(outcome: Outcome) -> Details:
    """What is worth keeping of a classifier beside its accuracy."""
    return Details(
        {
            "regularization": list(outcome.strengths),
            "development accuracy": outcome.development,
            "converged": outcome.converged,
        }
    )
