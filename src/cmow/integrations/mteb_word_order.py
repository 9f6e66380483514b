"""The benchmark of word order as a task of MTEB 2: `mteb.evaluate(model, WordOrder())`."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cmow.errors import MissingExtraError
from cmow.evaluation import KINDS, triples

try:
    from datasets import Dataset, DatasetDict
    from mteb.abstasks.pair_classification import AbsTaskPairClassification
    from mteb.abstasks.task_metadata import TaskMetadata
except ImportError as error:
    raise MissingExtraError("mteb", "mteb") from error

__all__ = ["WordOrder"]

ROUNDING = 1e-5  # of cosines: sums of the same words differ by less


class WordOrder(AbsTaskPairClassification):
    """Pairs of an anchor with its rewording and, behind it, with the rewording's reordering.

    The main score is the mean over kinds of the share of anchors to which the rewording is nearer;
    ties count half.
    """

    metadata = TaskMetadata(
        name="WordOrderTriples",
        description="Which of two sentences of the same words means what a third one does?",
        dataset={"path": "local", "revision": "1"},
        type="PairClassification",
        category="t2t",
        modalities=["text"],
        eval_splits=["test"],
        eval_langs=["eng-Latn"],
        main_score="triple_accuracy",
    )

    def load_data(self, *_: Any, **__: Any) -> None:
        """Made on the spot: no file, no network."""
        pairs = [
            (triple.anchor, other, label)
            for triple in triples("test")
            for other, label in ((triple.rewording, 1), (triple.reordering, 0))
        ]
        names = ("sentence1", "sentence2", "labels")
        columns = dict(zip(names, map(list, zip(*pairs, strict=True)), strict=True))
        self.dataset = DatasetDict(test=Dataset.from_dict(columns))
        self.data_loaded = True

    def _compute_metrics(
        self, similarity_scores: Mapping[str, Any], labels: Sequence[int]
    ) -> dict[str, float]:
        scores: dict[str, float] = super()._compute_metrics(similarity_scores, labels)
        ahead = np.asarray(similarity_scores["cosine_scores"]).reshape(-1, 2) @ (1, -1)
        right = np.where(np.abs(ahead) < ROUNDING, 0.5, ahead > 0).reshape(len(KINDS), -1)
        by_kind = dict(zip(KINDS, right.mean(axis=1).tolist(), strict=True))
        return {**scores, **by_kind, "triple_accuracy": float(right.mean())}
