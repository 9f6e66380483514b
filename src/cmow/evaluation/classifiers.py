"""The classifiers that embeddings can be judged by."""

from typing import Protocol

from cmow.choices import EvaluationClassifier
from cmow.evaluation import protocols, senteval
from cmow.evaluation.protocols import Outcome, Samples


class Classifier(Protocol):
    """SentEval's three ways to choose the penalty and to score; a module that has them is one."""

    def cross_validated(self, samples: Samples, *, seed: int) -> Outcome:
        """Test folds, and for each the penalty by folds of the rest."""
        ...

    def cross_validated_then_tested(self, train: Samples, test: Samples, *, seed: int) -> Outcome:
        """The penalty by folds of the training samples."""
        ...

    def tuned_on_development(
        self, train: Samples, development: Samples, test: Samples, *, seed: int
    ) -> Outcome:
        """The penalty by the development samples."""
        ...


CLASSIFIERS: dict[EvaluationClassifier, Classifier] = {"solved": protocols, "senteval": senteval}
