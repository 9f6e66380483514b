"""TREC: what kind of answer a question asks for."""

from itertools import chain

from cmow.evaluation.data import DataFolder, text_of
from cmow.evaluation.sentences import Sentences, details
from cmow.evaluation.task import Model, Result, Task

KINDS = ("ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM")


class Questions(Task[tuple[Sentences, Sentences]]):
    """Six kinds of questions; the penalty is cross-validated on the training questions."""

    name, group, classified, effort = "TREC", "supervised", True, 20.0

    def read(self, data: DataFolder) -> tuple[Sentences, Sentences]:
        """Read the training and the test questions."""
        return self._read(data, "train_5500.label"), self._read(data, "TREC_10.label")

    def texts(self, material: tuple[Sentences, Sentences]) -> chain[str]:
        """All questions."""
        return chain.from_iterable(part.texts for part in material)

    def score(self, material: tuple[Sentences, Sentences], model: Model, *, seed: int) -> Result:
        """Accuracy on the test questions."""
        train, test = (part.samples(model) for part in material)
        outcome = model.classifier.cross_validated_then_tested(train, test, seed=seed)
        return Result(outcome.accuracy, details=details(outcome))

    @staticmethod
    def _read(data: DataFolder, file: str) -> Sentences:
        """Lines like "NUM:dist How far is it ?": the kind, its sub-kind, the question."""
        rows = data.rows(f"downstream/TREC/{file}", 2, separator=":", encoding="latin-1")
        return Sentences.of(
            (text_of(row.columns[1].partition(" ")[2]), row.label(0, KINDS)) for row in rows
        )
