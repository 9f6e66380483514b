"""How good a classifier is."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cmow.arrays import Floats, Int64s
from cmow.classification.data import Examples, Label
from cmow.classification.labels import Labels
from cmow.errors import ConfigError, require

BINS = 10  # of probabilities, for the calibration error


class ClassScore(NamedTuple):
    """How well one class is told."""

    label: Label
    precision: float
    recall: float
    f1: float
    texts: int  # that have it


@dataclass(frozen=True, eq=False)
class Report:
    """What a classifier makes of examples whose labels are known.

    :param score: the share of texts that are labeled rightly, all labels of them; of scores, the
        share of the variance that is explained
    :param loss: mean of −log of the probability of what is right; of scores, the squared error
    :param calibration_error: how far probabilities are from shares, on average
    :param confusion: a row for each true class, a column for each that was said; none of tags
    """

    score: float
    loss: float
    macro_f1: float | None = None
    calibration_error: float | None = None
    classes: tuple[ClassScore, ...] = ()
    confusion: Int64s | None = None

    @classmethod
    def of(cls, labels: Labels, scores: Floats, examples: Examples) -> "Report":
        """Compare scores with what is true."""
        if not len(examples):
            raise ConfigError("no example to test with: give some")
        targets = labels.targets(examples)
        if labels.task == "score":
            squared = np.square(scores.astype(np.float64) - targets)
            variance = float(np.square(targets - targets.mean()).mean())
            share = 1 - float(squared.mean()) / variance if variance else 0.0
            return cls(score=share, loss=float(squared.mean()) * labels.spread**2)
        wanted = targets > 0.5
        said = scores > 0
        if labels.task == "class":
            said = np.arange(scores.shape[1]) == scores.argmax(axis=1)[:, None]
        each = tuple(
            _class_score(label, wanted[:, c], said[:, c]) for c, label in enumerate(labels.classes)
        )
        shares = labels.probabilities(scores)
        right = np.where(wanted, shares, 1 - shares) if labels.task == "tags" else shares[wanted]
        confusion = None
        if labels.task == "class":
            confusion = wanted.astype(np.int64).T @ said.astype(np.int64)
        return cls(
            score=float((wanted == said).all(axis=1).mean()),
            loss=-float(np.log(right.clip(1e-12)).sum()) / len(wanted),
            macro_f1=float(np.mean([one.f1 for one in each])),
            calibration_error=_calibration_error(shares, wanted, labels),
            classes=each,
            confusion=confusion,
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as JSON has them."""
        confusion = None if self.confusion is None else self.confusion.tolist()
        return {
            **vars(self),
            "classes": [each._asdict() for each in self.classes],
            "confusion": confusion,
        }


def _class_score(label: Label, wanted: Any, said: Any) -> ClassScore:
    both = int((wanted & said).sum())
    precision = both / max(int(said.sum()), 1)
    recall = both / max(int(wanted.sum()), 1)
    f1 = 2 * precision * recall / (precision + recall) if both else 0.0
    return ClassScore(label, precision, recall, f1, int(wanted.sum()))


def _calibration_error(shares: Any, wanted: Any, labels: Labels) -> float:
    """The mean distance between probability and share of hits, over bins of probabilities."""
    if labels.task == "class":
        surest = shares.argmax(axis=1)
        rows = np.arange(len(shares))
        shares, wanted = shares[rows, surest], wanted[rows, surest]
    bins = np.minimum((shares * BINS).astype(int), BINS - 1).ravel()
    excess = np.bincount(bins, (shares - wanted).ravel(), BINS)
    return float(np.abs(excess).sum() / max(bins.size, 1))


def plot_confusion(report: Report, path: Path) -> None:
    """Draw the confusion of classes as a picture."""
    if report.confusion is None:
        raise ConfigError("there is no confusion to draw where texts have several labels or scores")
    require("matplotlib", "plot")
    from matplotlib.figure import Figure

    names = [str(each.label) for each in report.classes]
    shares = report.confusion / np.maximum(report.confusion.sum(axis=1, keepdims=True), 1)
    size = 2.5 + 0.45 * len(names)
    figure = Figure(figsize=(size, size), layout="constrained")
    axes = figure.subplots()
    axes.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    axes.set_xticks(range(len(names)), names, rotation=45, ha="right")
    axes.set_yticks(range(len(names)), names)
    axes.set(xlabel="predicted", ylabel="true", title=f"{report.score:.1%} are right")
    for row, column in np.ndindex(*shares.shape):
        if report.confusion[row, column]:
            colour = "white" if shares[row, column] > 0.5 else "black"
            count = f"{report.confusion[row, column]:,}"
            axes.text(column, row, count, ha="center", va="center", color=colour)
    figure.savefig(path)
