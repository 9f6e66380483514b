"""How far an embedding moves when the words of its sentence change their order."""

from collections.abc import Callable
from itertools import chain
from pathlib import Path

import numpy as np

from cmow.arrays import Doubles, Floats
from cmow.errors import ConfigError
from cmow.evaluation.data import DataFolder, text_of
from cmow.evaluation.reordering import transitive_sentences
from cmow.evaluation.task import Model, Result, Task

FILE = "order/sentences.txt"
ROUNDING = 1e-5  # a sum in another order differs by less; it counts as no movement at all

Changed = list[tuple[str, str]]


class Order(Task[Changed]):
    """The movement, in points of the mean distance between two neighboring sentences of the list.

    Distances are between embeddings of length 1. A bag of words scores exactly 0.

    :param change: a sentence in another order, or None if the sentence does not lend itself.
    :param given: take the other order from the sentence list where that has it.
    :param sentences: a file with a sentence a line, and after a tab, if known, the sentence with
        subject and object exchanged; else the data folder's, else sentences of our own.
    """

    group = metric = "movement"

    def __init__(
        self,
        name: str,
        change: Callable[[str], str | None],
        *,
        given: bool = False,
        sentences: Path | None = None,
    ) -> None:
        self.name = name
        self.change = change
        self.given = given
        self.sentences = sentences

    def with_sentences(self, sentences: Path | None) -> "Order":
        """The same task on other sentences."""
        return Order(self.name, self.change, given=self.given, sentences=sentences)

    def read(self, data: DataFolder) -> Changed:
        """Every sentence that can be changed, and how it looks then."""
        changed = []
        for sentence, exchanged in self._sentences(data):
            other = exchanged if self.given and exchanged else self.change(sentence)
            if other is not None:
                changed.append((sentence, other))
        if not changed:
            raise ConfigError(f"{self.name}: no sentence of the list can be changed this way")
        return changed

    def texts(self, material: Changed) -> chain[str]:
        """The sentences in either order."""
        return chain.from_iterable(material)

    def score(self, material: Changed, model: Model, *, seed: int) -> Result:  # noqa: ARG002
        """Mean movement as a percentage of the mean distance between sentences."""
        before, after = (unit(model.embed(side)) for side in zip(*material, strict=True))
        moved = distances(before, after)
        apart = float(distances(before, np.roll(before, 1, axis=0)).mean())
        score = 100 * float(moved.mean()) / apart if apart > 0 else 0.0
        return Result(score, details={"sentences": len(material)})

    def _sentences(self, data: DataFolder) -> Changed:
        if self.sentences is not None:
            folder, name = DataFolder(self.sentences.parent), self.sentences.name
        elif data.find(FILE):
            folder, name = data, FILE
        else:
            return transitive_sentences()
        rows = [row.columns for row in folder.rows(name, 1)]
        return [(text_of(r[0]), text_of(r[1]) if len(r) > 1 else "") for r in rows]


def unit(vectors: Floats) -> Doubles:
    """The embeddings, divided by their lengths."""
    norms = np.linalg.norm(vectors.astype(np.float64), axis=1, keepdims=True)
    return vectors / np.where(norms > 0, norms, 1)


def distances(left: Doubles, right: Doubles) -> Doubles:
    """How far apart embeddings are, row by row; 0 if only rounding moves them."""
    found = np.linalg.norm(left - right, axis=1)
    return np.where(found > ROUNDING, found, 0)
