"""SICK-E: whether a sentence follows from another, contradicts it, or neither."""

from itertools import chain

from cmow.evaluation.data import DataFolder
from cmow.evaluation.sentences import Pairs, details
from cmow.evaluation.task import Model, Result, Task
from cmow.evaluation.tasks.sick import read_sick


class Entailment(Task[list[Pairs]]):
    """Three judgments, with development pairs to choose the penalty by."""

    name, group, classified = "SICK-E", "supervised", True

    def read(self, data: DataFolder) -> list[Pairs]:
        """Read the three splits."""
        return read_sick(data, "entailment")

    def texts(self, material: list[Pairs]) -> chain[str]:
        """The sentences of all splits."""
        return chain.from_iterable(part.texts() for part in material)

    def score(self, material: list[Pairs], model: Model, *, seed: int) -> Result:
        """Accuracy on the test pairs."""
        train, development, test = (part.samples(model) for part in material)
        outcome = model.classifier.tuned_on_development(train, development, test, seed=seed)
        return Result(outcome.accuracy, details=details(outcome))
