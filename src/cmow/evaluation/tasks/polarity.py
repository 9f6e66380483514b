"""MR, CR, SUBJ and MPQA: two files, one a class."""

from cmow.evaluation.data import DataFolder, text_of
from cmow.evaluation.sentences import Sentences, details
from cmow.evaluation.task import Model, Result, Task


class Polarity(Task[Sentences]):
    """Tell positive from negative, or objective from subjective, by nested cross-validation."""

    group, classified, effort = "supervised", True, 20.0

    def __init__(self, name: str, positive: str, negative: str) -> None:
        self.name = name
        self.files = (negative, positive)

    def read(self, data: DataFolder) -> Sentences:
        """Read both files; a blank line is a text without words."""
        return Sentences.of(
            (text_of(line), label)
            for label, file in enumerate(self.files)
            for line in data.lines(file, encoding="latin-1")
        )

    def texts(self, material: Sentences) -> list[str]:
        """All sentences."""
        return material.texts

    def score(self, material: Sentences, model: Model, *, seed: int) -> Result:
        """Accuracy over ten folds."""
        outcome = model.classifier.cross_validated(material.samples(model), seed=seed)
        return Result(outcome.accuracy, details=details(outcome))
