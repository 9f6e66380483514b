"""What can be said of a text, as numbers to learn and as the page of a model folder."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from cmow.arrays import Booleans, Doubles, Floats, Int64s
from cmow.classification.data import Examples, Label, counted
from cmow.classification.settings import ClassifySettings, read_weights
from cmow.corpus import Permutation
from cmow.durable import write_json
from cmow.errors import ConfigError, FormatError
from cmow.parsing import read_json
from cmow.training import Answers, LabelLoss

PAGE = "labels.json"
FORMAT, VERSION = "cmow labels", 1
Task = Literal["class", "tags", "score"]  # one of some classes, any number of them, or a number
LOSSES: dict[Task, LabelLoss] = {"class": "softmax", "tags": "logistic", "score": "squared"}


@dataclass(frozen=True)
class Labels:
    """What there is to say.

    :param classes: of scores there are none
    :param temperature: what scores of classes are divided by, so that shares are probabilities
    :param centre: of scores, which are learned as distances from it in units of their spread
    """

    task: Task
    classes: tuple[Label, ...] = ()
    pairs: bool = False
    temperature: float = 1.0
    centre: float = 0.0
    spread: float = 1.0

    @classmethod
    def of(cls, examples: Examples, settings: ClassifySettings) -> "Labels":
        """Those of examples to learn from."""
        pairs = _are_pairs(examples)
        if settings.scores:
            scores = np.array([_score(*each) for each in _placed(examples)])
            spread = float(scores.std())
            if spread == 0:
                raise ConfigError(f"all scores are {scores[0]:g}: there is nothing to learn")
            return cls("score", pairs=pairs, centre=float(scores.mean()), spread=spread)
        several = [isinstance(label, tuple) for label in examples.labels]
        if any(several) and not all(several):
            place = examples.places[several.index(not several[0])]
            raise FormatError(f"{place}: one label where others have a list: give a list to each")
        for label, place in _placed(examples):
            for each in label if isinstance(label, tuple) else (label,):
                if not isinstance(each, (str, int)):
                    raise FormatError(f"{place}: {each!r} is no label: names and numbers are")
        counts = counted(examples.labels)
        if len(counts) < 2 and not any(several):
            only = next(iter(counts))
            raise ConfigError(
                f"all {len(examples):,} texts have the label {only!r} (the first is "
                f"{examples.places[0]}): two classes are needed to tell them apart"
            )
        if not counts:
            raise ConfigError("no text has any label: there is nothing to learn")
        classes = tuple(sorted(counts, key=lambda each: (isinstance(each, str), each)))
        return cls("tags" if any(several) else "class", classes, pairs)

    def targets(self, examples: Examples) -> Floats:
        """A row an example; a label that is not known is refused."""
        if _are_pairs(examples) != self.pairs:
            raise ConfigError("pairs of texts are wanted" if self.pairs else "no pairs are wanted")
        if self.task == "score":
            scores = [_score(*each) for each in _placed(examples)]
            rows = (np.array(scores).reshape(-1, 1) - self.centre) / self.spread
            return rows.astype(np.float32)
        numbers = {label: number for number, label in enumerate(self.classes)}
        targets = np.zeros((len(examples), len(self.classes)), np.float32)
        for row, (label, place) in enumerate(_placed(examples)):
            if self.task == "class" and isinstance(label, tuple):
                raise FormatError(f"{place}: a list of labels where training had one each")
            for each in label if isinstance(label, tuple) else (label,):
                if each not in numbers:
                    raise FormatError(
                        f"{place}: the label {each!r} is not among those of training: "
                        f"{_shown(self.classes)}"
                    )
                targets[row, numbers[each]] = 1
        return targets

    def answers(
        self, examples: Examples, held_out: Booleans, settings: ClassifySettings
    ) -> Answers:
        """What is learned."""
        hard = self.targets(examples)
        spread = settings.label_smoothing if self.task != "score" else 0.0
        rest = 1 / hard.shape[1] if self.task == "class" else 0.5
        return Answers(
            targets=(hard * (1 - spread) + spread * rest).astype(np.float32),
            held_out=held_out,
            loss=LOSSES[self.task],
            weights=self._weights(hard[~held_out], settings.class_weights),
            pairs=self.pairs,
        )

    def _weights(self, targets: Floats, weights: Any) -> Floats:
        if weights is None or self.task == "score":
            return np.ones(targets.shape[1], np.float32)
        given = read_weights(weights)
        if given is None:
            counts = np.maximum(targets.sum(axis=0), 1)
            balanced: Floats = (counts.sum() / (len(counts) * counts)).astype(np.float32)
            return balanced
        names = [str(each) for each in self.classes]
        if unknown := sorted(given.keys() - set(names)):
            raise ConfigError(f"class_weights of {unknown[0]!r}, but there is {_shown(names)}")
        return np.array([given.get(name, 1.0) for name in names], np.float32)

    # ---- what a model says ----------------------------------------------------------------------

    def probabilities(self, scores: Floats) -> Doubles:
        """Of each class, from what a head makes of texts."""
        scaled = scores.astype(np.float64) / self.temperature
        if self.task == "tags":
            shares: Doubles = np.exp(-np.logaddexp(0, -scaled))
            return shares
        shares = np.exp(scaled - scaled.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def said(self, scores: Floats) -> list[Any]:
        """The label of each text, its labels, or its score."""
        if self.task == "score":
            return list(scores[:, 0].astype(np.float64) * self.spread + self.centre)
        if self.task == "tags":
            return [tuple(self.classes[c] for c in np.flatnonzero(row > 0)) for row in scores]
        return [self.classes[c] for c in scores.argmax(axis=1).tolist()]

    def calibrated(self, scores: Floats, targets: Floats) -> "Labels":
        """With the temperature that makes the given targets most likely."""
        if self.task == "score" or not len(scores):
            return self

        def loss(log_temperature: float) -> float:
            return replace(self, temperature=math.exp(log_temperature)).loss(scores, targets)

        return replace(self, temperature=math.exp(_lowest(loss, -3.0, 3.0)))

    def loss(self, scores: Floats, targets: Floats) -> float:
        """How unlikely the given targets are, or how far from them scores are."""
        if self.task == "score":
            return float(np.square(scores - targets, dtype=np.float64).sum())
        # As if one more text had no label in particular: nothing is ever certain.
        rest = 0.5 if self.task == "tags" else 1 / len(self.classes)
        likely = (len(scores) * targets.astype(np.float64) + rest) / (len(scores) + 1)
        shares = self.probabilities(scores).clip(1e-12, 1 - 1e-12)
        wrong = (1 - likely) * np.log1p(-shares) if self.task == "tags" else 0
        return -float((likely * np.log(shares) + wrong).sum())

    def best_share(self, one: Floats, other: Floats, targets: Floats) -> float:
        """Of the first scores, in a mean of both that tells the given targets best."""

        def loss(share: float) -> float:
            mean = share * one + (1 - share) * other
            return self.calibrated(mean, targets).loss(mean, targets)

        return _lowest(loss, 0.0, 1.0)

    # ---- in a model folder ----------------------------------------------------------------------

    def write(self, folder: Path) -> None:
        """Put the page beside a model."""
        write_json(folder / PAGE, {"format": FORMAT, "version": VERSION, **asdict(self)})

    @classmethod
    def read(cls, folder: Path) -> "Labels":
        """Read the page, every field checked."""
        path = folder / PAGE
        try:
            page = read_json(path)
        except FileNotFoundError:
            raise FormatError(f"{path} is missing: not a classifier's folder") from None
        if not isinstance(page, dict) or page.pop("format", None) != FORMAT:
            raise FormatError(f"{path}: not the page of a classifier")
        if page.pop("version", None) != VERSION:
            raise FormatError(f"{path}: of another version than this cmow reads, {VERSION}")
        numbers = ("temperature", "centre", "spread")
        good = (
            page.keys() == cls.__dataclass_fields__.keys()
            and page["task"] in get_args(Task)
            and isinstance(page["pairs"], bool)
            and isinstance(page["classes"], list)
            and all(isinstance(each, (str, int)) for each in page["classes"])
            and all(isinstance(page[name], (int, float)) for name in numbers)
            and all(math.isfinite(page[name]) for name in numbers)
            and page["temperature"] > 0
        )
        if not good:
            raise FormatError(f"{path}: damaged: fields are missing or of the wrong kind")
        return cls(**{**page, "classes": tuple(page["classes"])})


def held_out(examples: Examples, share: float, *, seed: int) -> Booleans:
    """A share of the examples, of each class as much of it."""
    chosen = np.zeros(len(examples), bool)
    for numbers in _by_class(examples, seed):
        chosen[numbers[: round(share * len(numbers))]] = True
    return chosen


def in_folds(examples: Examples, count: int, *, seed: int) -> Int64s:
    """The fold of each example: all as large, and of each class as much in every one."""
    folds = np.empty(len(examples), np.int64)
    order = [number for numbers in _by_class(examples, seed) for number in numbers]
    folds[order] = np.arange(len(order)) % count
    return folds


def _by_class(examples: Examples, seed: int) -> Iterable[list[int]]:
    """The numbers of the examples in a random order; scores and lists are all alike."""
    by_class: dict[Any, list[int]] = {}
    for number in Permutation(len(examples), seed=seed)[:].tolist():
        label = examples.labels[number]
        by_class.setdefault(label if isinstance(label, (str, int)) else None, []).append(number)
    return by_class.values()


def _are_pairs(examples: Examples) -> bool:
    pairs = [isinstance(text, tuple) for text in examples.texts]
    if any(pairs) and not all(pairs):
        place = examples.places[pairs.index(not pairs[0])]
        raise FormatError(f"{place}: pairs and single texts: give one or the other")
    return any(pairs)


def _placed(examples: Examples) -> Sequence[tuple[Any, str]]:
    return list(zip(examples.labels, examples.places, strict=True))


def _score(label: Any, place: str) -> float:
    try:
        score = float(label)
    except (TypeError, ValueError):
        score = math.nan
    if not math.isfinite(score):
        raise FormatError(f"{place}: {label!r} is no score: give a number")
    return score


def _shown(classes: Sequence[Any]) -> str:
    some = ", ".join(map(str, classes[:10]))
    return some if len(classes) <= 10 else f"{some} and {len(classes) - 10:,} more"


def _lowest(function: Any, low: float, high: float) -> float:
    """Where a function of one valley has its lowest point, by the golden section."""
    ratio = (math.sqrt(5) - 1) / 2
    for _ in range(40):
        width = ratio * (high - low)
        left, right = high - width, low + width
        low, high = (low, right) if function(left) < function(right) else (left, high)
    return (low + high) / 2
