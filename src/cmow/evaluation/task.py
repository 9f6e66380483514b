"""What a task is: files to read, texts to embed, a score to compute."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from cmow.arrays import Floats
from cmow.evaluation.classifiers import Classifier
from cmow.evaluation.data import DataFolder

Material = TypeVar("Material")


class NotOffered(LookupError):  # noqa: N818 (not a fault: the task is left out for this model)
    """The encoder lacks what a task needs."""


class Model(Protocol):
    """The encoder under evaluation, as a task sees it."""

    encoder: Any
    classifier: Classifier

    def embed(self, texts: Iterable[str]) -> Floats:
        """The embeddings of texts that the task has announced."""
        ...


@dataclass(frozen=True)
class Result:
    """What a task found.

    :param score: the number that stands in the tables, as a rule in points of 100.
    :param scores: further numbers by name, such as the other metrics and protocols.
    :param details: whatever else is worth keeping: the regularization chosen, sizes, coverage.
    """

    score: float
    scores: Mapping[str, float] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)


class Task(ABC, Generic[Material]):
    """A task of one's own needs a name, a group (its table) and these three methods."""

    name: str
    group: str
    metric: str = "accuracy"  # what the score is, as named in the tables
    classified: bool = False  # whether the model's classifier has a say in the score
    effort: float = 1.0  # how long scoring a text takes, for the time left: most take little

    @abstractmethod
    def read(self, data: DataFolder) -> Material:
        """Read the files; one that is missing or malformed raises by itself."""

    @abstractmethod
    def texts(self, material: Material) -> Iterable[str]:
        """Every text that the score needs an embedding of."""

    @abstractmethod
    def score(self, material: Material, model: Model, *, seed: int) -> Result:
        """Compute the score from the embeddings."""
