"""How similar two words are: WS-353, SimLex-999, MEN and their like."""

import numpy as np

from cmow.evaluation.correlation import spearman
from cmow.evaluation.data import DataFolder
from cmow.evaluation.sentences import Pairs
from cmow.evaluation.task import Model, Result, Task
from cmow.evaluation.word_vectors import Words, words_of


class WordSimilarity(Task[Pairs]):
    """Spearman's correlation of cosines and human scores; pairs with unknown words are left out."""

    group, metric = "words", "Spearman"

    def __init__(self, name: str, file: str) -> None:
        self.name = name
        self.file = f"wordsim/{file}"

    def read(self, data: DataFolder) -> Pairs:
        """Read lines of two words and a score."""
        rows = data.rows(self.file, 3)
        return Pairs.of((row.columns[0], row.columns[1], row.value(2)) for row in rows)

    def texts(self, material: Pairs) -> list[str]:  # noqa: ARG002
        """None: words are looked up, not encoded."""
        return []

    def score(self, material: Pairs, model: Model, *, seed: int) -> Result:  # noqa: ARG002
        """The correlation for each part; the best one is the score."""
        scores, coverage = {}, 0.0
        for words in words_of(model.encoder):
            scores[words.part], coverage = _correlate(material, words)
        return Result(max(scores.values()), {**scores, "coverage": coverage})


def _correlate(pairs: Pairs, words: Words) -> tuple[float, float]:
    first, second = (np.array([words.find(w) for w in side], float) for side in pairs[:2])
    known = np.isfinite(first) & np.isfinite(second)
    if not known.any():
        return 0.0, 0.0
    one, other = (words.vectors[side[known].astype(np.int64)] for side in (first, second))
    cosines = np.einsum("ij,ij->i", one, other)
    return 100 * spearman(cosines, pairs.values[known]), 100 * float(known.mean())
