"""STS12 to STS16, STS-B and SICK-R without training: the cosine of two embeddings."""

from collections.abc import Callable, Mapping
from itertools import chain

import numpy as np

from cmow.arrays import Doubles, Floats
from cmow.errors import FormatError
from cmow.evaluation.correlation import pearson, spearman
from cmow.evaluation.data import DataFolder, text_of
from cmow.evaluation.sentences import Pairs
from cmow.evaluation.task import Model, Result, Task

HEADLINE = "Pearson, mean of sub-sets"
PROTOCOLS = tuple(
    f"{correlation}, {way}"
    for correlation in ("Pearson", "Spearman")
    for way in ("mean of sub-sets", "weighted by size", "all pairs")
)


class Similarity(Task[Mapping[str, Pairs]]):
    """Correlation of cosines and human scores, by each of the six protocols in use.

    :param read: gives the pairs of each sub-set.
    """

    group, metric = "unsupervised", HEADLINE

    def __init__(self, name: str, read: Callable[[DataFolder], Mapping[str, Pairs]]) -> None:
        self.name = name
        self._read = read

    def read(self, data: DataFolder) -> Mapping[str, Pairs]:
        """Read all sub-sets."""
        return self._read(data)

    def texts(self, material: Mapping[str, Pairs]) -> chain[str]:
        """The sentences of all sub-sets."""
        return chain.from_iterable(part.texts() for part in material.values())

    def score(self, material: Mapping[str, Pairs], model: Model, *, seed: int) -> Result:  # noqa: ARG002
        """The correlations."""
        cosines = {
            name: cosine(model.embed(pairs.first), model.embed(pairs.second))
            for name, pairs in material.items()
        }
        gold = {name: pairs.values for name, pairs in material.items()}
        scores = correlations(cosines, gold)
        sizes = {name: len(values) for name, values in gold.items()}
        return Result(scores[HEADLINE], scores, {"pairs": sizes})


def correlations(predicted: Mapping[str, Doubles], gold: Mapping[str, Doubles]) -> dict[str, float]:
    """The correlations of sub-sets in points, summed up in every way."""
    sizes = [len(values) for values in gold.values()]
    scores = {}
    for name, correlate in (("Pearson", pearson), ("Spearman", spearman)):
        single = [100 * correlate(predicted[part], gold[part]) for part in gold]
        together = [np.concatenate(list(side.values())) for side in (predicted, gold)]
        scores[f"{name}, mean of sub-sets"] = float(np.mean(single))
        scores[f"{name}, weighted by size"] = float(np.average(single, weights=sizes))
        scores[f"{name}, all pairs"] = 100 * correlate(*together)
    return scores


def cosine(left: Floats, right: Floats) -> Doubles:
    """The cosine of each row of one array with that of the other; zero for a zero vector."""
    one, other = left.astype(np.float64), right.astype(np.float64)
    products: Doubles = np.einsum("ij,ij->i", one, other)
    norms = np.linalg.norm(one, axis=1) * np.linalg.norm(other, axis=1)
    return products / np.where(norms > 0, norms, 1)


def read_year(data: DataFolder, year: str, subsets: tuple[str, ...]) -> dict[str, Pairs]:
    """The pairs of a year's sub-sets; those without a score are left out."""
    folder = f"downstream/STS/{year}-en-test"
    return {subset: _read_subset(data, folder, subset) for subset in subsets}


def _read_subset(data: DataFolder, folder: str, subset: str) -> Pairs:
    rows = list(data.rows(f"{folder}/STS.input.{subset}.txt", 2))
    name = f"{folder}/STS.gs.{subset}.txt"
    scores = list(data.rows(name, 1))
    if len(scores) != len(rows):
        raise FormatError(f"{data.find(name)}: {len(scores)} scores for {len(rows)} pairs")
    if not any(score.columns[0].strip() for score in scores):
        raise FormatError(f"{data.find(name)}: no pair has a score")
    return Pairs.of(
        (text_of(row.columns[0]), text_of(row.columns[1]), score.value(0))
        for row, score in zip(rows, scores, strict=True)
        if score.columns[0].strip()
    )
