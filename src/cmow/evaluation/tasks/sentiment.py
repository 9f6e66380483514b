"""SST2 and SST5: sentiment of phrases and sentences of film reviews."""

from itertools import chain

from cmow.evaluation.data import DataFolder, text_of
from cmow.evaluation.sentences import Sentences, details
from cmow.evaluation.task import Model, Result, Task

SPLITS = ("train", "dev", "test")


class Sentiment(Task[list[Sentences]]):
    """Two or five classes, with development sentences to choose the penalty by."""

    group, classified = "supervised", True

    def __init__(self, name: str, folder: str, classes: int) -> None:
        self.name = name
        self.folder = folder
        self.labels = [str(label) for label in range(classes)]

    def read(self, data: DataFolder) -> list[Sentences]:
        """Read the three splits."""
        return [self._read(data, f"{self.folder}/sentiment-{split}") for split in SPLITS]

    def texts(self, material: list[Sentences]) -> chain[str]:
        """The sentences of all splits."""
        return chain.from_iterable(part.texts for part in material)

    def score(self, material: list[Sentences], model: Model, *, seed: int) -> Result:
        """Accuracy on the test sentences."""
        train, development, test = (part.samples(model) for part in material)
        outcome = model.classifier.tuned_on_development(train, development, test, seed=seed)
        return Result(outcome.accuracy, details=details(outcome))

    def _read(self, data: DataFolder, file: str) -> Sentences:
        """Two classes: a text, a tab, its class; five: the class, a blank, the text."""
        if len(self.labels) == 2:
            rows, text, label = data.rows(file, 2), 0, 1
        else:
            rows, text, label = data.rows(file, 2, separator=" "), 1, 0
        return Sentences.of(
            (text_of(row.columns[text]), row.label(label, self.labels)) for row in rows
        )
