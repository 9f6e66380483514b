"""The ten probing tasks: what an embedding knows of its sentence."""

from itertools import chain
from typing import Any

from cmow.errors import FormatError
from cmow.evaluation.data import DataFolder, text_of
from cmow.evaluation.sentences import Sentences, details
from cmow.evaluation.task import Model, Result, Task

SPLITS = ("tr", "va", "te")
NOTE = "rebuilt.json"  # lies beside sets that are not the published ones


class Probing(Task[dict[str, Sentences]]):
    """A property of sentences, with development sentences to choose the penalty by."""

    group, classified = "probing", True

    def __init__(self, name: str, file: str, *, effort: float = 1.0) -> None:
        self.name = name
        self.file = f"probing/{file}"
        self.effort = effort

    def read(self, data: DataFolder) -> dict[str, Sentences]:
        """Read the three splits: lines of a split, a label and the words."""
        rows = list(data.rows(self.file, 3))
        known = sorted({row.columns[1] for row in rows if row.columns[0] == "tr"})
        numbers = {label: number for number, label in enumerate(known)}
        splits: dict[str, list[tuple[str, int]]] = {split: [] for split in SPLITS}
        for row in rows:
            split, label = SPLITS[row.label(0, SPLITS)], row.columns[1]
            if label not in numbers:
                raise row.fault(f"label {label!r} does not occur in the training sentences")
            splits[split].append((text_of(row.columns[2]), numbers[label]))
        for split, chosen in splits.items():
            if not chosen:
                raise FormatError(f"{data.find(self.file)}: no line of the split {split!r}")
        return {split: Sentences.of(chosen) for split, chosen in splits.items()}

    def texts(self, material: dict[str, Sentences]) -> chain[str]:
        """The sentences of all splits."""
        return chain.from_iterable(part.texts for part in material.values())

    def score(self, material: dict[str, Sentences], model: Model, *, seed: int) -> Result:
        """Accuracy on the test sentences."""
        train, development, test = (material[split].samples(model) for split in SPLITS)
        outcome = model.classifier.tuned_on_development(train, development, test, seed=seed)
        return Result(outcome.accuracy, details=details(outcome))


def is_rebuilt(task: Task[Any], data: DataFolder) -> bool:
    """Whether a task's file is not the published one."""
    file = data.find(task.file) if isinstance(task, Probing) else None
    return file is not None and file.with_name(NOTE).is_file()
