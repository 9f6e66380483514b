"""MRPC: whether two sentences say the same."""

from itertools import chain

import numpy as np

from cmow.evaluation.data import DataFolder, text_of
from cmow.evaluation.logistic import Labels
from cmow.evaluation.sentences import Pairs, details
from cmow.evaluation.task import Model, Result, Task


class Paraphrase(Task[tuple[Pairs, Pairs]]):
    """Paraphrase or not; the penalty is cross-validated on the training pairs."""

    name, group, classified, effort = "MRPC", "supervised", True, 10.0

    def read(self, data: DataFolder) -> tuple[Pairs, Pairs]:
        """Read the training and the test pairs."""
        return self._read(data, "train"), self._read(data, "test")

    def texts(self, material: tuple[Pairs, Pairs]) -> chain[str]:
        """All sentences."""
        return chain.from_iterable(part.texts() for part in material)

    def score(self, material: tuple[Pairs, Pairs], model: Model, *, seed: int) -> Result:
        """Accuracy on the test pairs, and F1 of the paraphrases."""
        train, test = (part.samples(model) for part in material)
        outcome = model.classifier.cross_validated_then_tested(train, test, seed=seed)
        scores = {"accuracy": outcome.accuracy, "F1": f1(outcome.predictions, test.labels)}
        return Result(outcome.accuracy, scores, details(outcome))

    @staticmethod
    def _read(data: DataFolder, split: str) -> Pairs:
        rows = data.rows(f"downstream/MRPC/msr_paraphrase_{split}.txt", 5, header=True)
        return Pairs.of(
            (text_of(row.columns[3]), text_of(row.columns[4]), row.label(0, ("0", "1")))
            for row in rows
        )


def f1(predictions: Labels, labels: Labels) -> float:
    """The harmonic mean of precision and recall of class 1, in points."""
    both = int(np.count_nonzero(predictions & labels))
    found, wanted = int(predictions.sum()), int(labels.sum())
    return 100 * 2 * both / (found + wanted) if found + wanted else 0.0
