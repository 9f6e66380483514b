"""SICK-R and STS-B: how related two sentences are, learned from pairs with scores."""

from collections.abc import Callable
from itertools import chain

from cmow.evaluation.correlation import pearson, spearman
from cmow.evaluation.data import DataFolder
from cmow.evaluation.regressor import ScoredPairs, regress
from cmow.evaluation.sentences import Pairs
from cmow.evaluation.task import Model, Result, Task


class Relatedness(Task[list[Pairs]]):
    """Scores predicted by SentEval's regressor.

    :param read: gives training, development and test pairs.
    """

    group, metric, effort = "supervised", "Pearson", 10.0

    def __init__(self, name: str, read: Callable[[DataFolder], list[Pairs]]) -> None:
        self.name = name
        self._read = read

    def read(self, data: DataFolder) -> list[Pairs]:
        """Read the three splits."""
        return self._read(data)

    def texts(self, material: list[Pairs]) -> chain[str]:
        """The sentences of all splits."""
        return chain.from_iterable(part.texts() for part in material)

    def score(self, material: list[Pairs], model: Model, *, seed: int) -> Result:
        """Correlation of predicted and true scores of the test pairs."""
        train, development, test = (
            ScoredPairs(part.features(model), part.values) for part in material
        )
        regression = regress(train, development, test, seed=seed)
        scores = {
            "Pearson": 100 * pearson(regression.predictions, test.scores),
            "Spearman": 100 * spearman(regression.predictions, test.scores),
        }
        details = {"development Pearson": 100 * regression.development}
        return Result(scores["Pearson"], scores, details)
