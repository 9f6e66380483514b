"""A classifier of texts, as scikit-learn knows estimators."""

import os
import shutil
import signal
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Doubles, Floats
from cmow.choices import Storage
from cmow.classification.averaging import Average, Fitted, side_by_side
from cmow.classification.data import Examples
from cmow.classification.fitting import (
    Head,
    flat_texts,
    run_fitting,
    settled,
    split,
)
from cmow.classification.labels import PAGE, Labels
from cmow.classification.report import Report
from cmow.classification.settings import ClassifySettings
from cmow.classification.starting import start_of
from cmow.encoder import SHIPPED, Encoder, StorageLoss, check_replaceable, load
from cmow.errors import ConfigError, FormatError
from cmow.settings import settings_of
from cmow.training import (
    BIAS,
    HEAD,
    Callback,
    Ending,
    Outcome,
    State,
    TrainConfig,
    read_output,
    run_place,
    write_output,
)

if TYPE_CHECKING:
    from typing_extensions import Self

    from cmow.classification.explaining import Explanation

BLOCK = 1 << 15  # texts that are embedded at a time
SHARE_OF_START = 0.75  # of all scores, where no text is held out to tell: it knows more
OWN = tuple(each.name for each in settings_of(ClassifySettings))
PREPARE = tuple(each.name for each in fields(TrainConfig().prepare))
TRAINING = tuple(each.name for each in settings_of(TrainConfig)) + PREPARE


class Classifier:
    """Learns to label texts, or pairs of them, and to give them scores.

    :param start: an encoder, the folder of one, or a file of word vectors; the English model that
        comes with the package unless given, and with None nothing
    :param settings: of `ClassifySettings`, of training and of text, by name
    """

    _estimator_type = "classifier"

    def __init__(
        self, *, start: Encoder | str | os.PathLike[str] | None = SHIPPED, **settings: Any
    ) -> None:
        _check_names(settings)
        self.start = start
        self.settings = settings

    # ---- learning -------------------------------------------------------------------------------

    def fit(
        self,
        texts: Iterable[Any],
        labels: Iterable[Any],
        *,
        development: tuple[Iterable[Any], Iterable[Any]] | None = None,
        callbacks: Sequence[Callback] = (),
    ) -> "Self":
        """Learn from texts, or pairs of them, with a label or a list of labels each.

        :param development: texts and labels that training stops by; else a share of all, or folds
        """
        examples = Examples.of(texts, labels)
        held_out = None if development is None else Examples.of(*development)
        outcome = self.run(examples, held_out, callbacks=callbacks)
        if outcome.ending.signal is not None:
            signal.raise_signal(outcome.ending.signal)
        return self

    def run(
        self,
        examples: Examples,
        development: Examples | None = None,
        *,
        folder: Path | None = None,
        resume: bool = False,
        callbacks: Sequence[Callback] = (),
    ) -> Outcome:
        """Learn from examples, and keep what is needed to resume beside the model's folder."""
        own = ClassifySettings.of(
            {name: value for name, value in self.settings.items() if name in OWN}
        )
        config = settled(_training_layer(self.settings))
        materials = split(examples, development, own, config)
        start = start_of(self.start)
        kinds = ["fresh"] if start is None else ["started", "fresh"]
        runs = len(materials) * len(kinds)
        if config.max_minutes is not None:
            config = replace(config, max_minutes=config.max_minutes / runs)
        self.development_ = None
        if folder is not None and runs > 1:
            _check_free(folder, resume=resume)
            if resume and is_finished(folder):
                return self._finished(folder)
        average, held_out, scores = Average(), Examples([], [], []), []
        finished = True
        for number, material in enumerate(materials, start=1):
            models = []
            for place, kind in enumerate(kinds, start=1):
                run = (number - 1) * len(kinds) + place
                outcome = run_fitting(
                    material,
                    own,
                    config,
                    start=start,
                    fresh=start is not None and kind == "fresh",
                    folder=folder if runs == 1 else _place(folder, f"{kind}-{number}"),
                    resume=resume,
                    callbacks=_named(callbacks, f"{kind}, {run} of {runs}" if runs > 1 else ""),
                )
                if outcome.ending.signal is not None and runs > 1:
                    return outcome
                finished = finished and outcome.ending.finished
                models.append(Fitted(outcome.encoder, outcome.output))
            some = material.examples.some(np.flatnonzero(material.held_out).tolist())
            model = self._together(models, material.labels, some)
            self._take(model, material.labels)
            held_out = held_out.followed_by(some)
            scores.append(self.decision_function(some.texts))
            if len(materials) > 1:
                average.add(model)
        if average.count > 1:
            self._take(average.of(model.encoder), material.labels)
        self._judge(held_out, np.concatenate(scores))
        if folder is not None:
            self._leave(folder, several=runs > 1, tidy=finished and not config.keep_run)
        return outcome._replace(encoder=self.encoder_)

    def _leave(self, folder: Path, *, several: bool, tidy: bool) -> None:
        """Write what training has not written; of several runs, remove what they were kept in."""
        if not several:
            self.labels_.write(folder)
            return
        self.save(folder)
        if tidy:
            shutil.rmtree(run_place(folder))

    def _together(self, models: Sequence[Fitted], labels: Labels, held_out: Examples) -> Fitted:
        """One model of what was started and what is fresh, as what is held out likes them best."""
        if len(models) == 1:
            return models[0]
        started, fresh = models
        share, scores = SHARE_OF_START, []
        if len(held_out):
            for model in models:
                self._take(model, labels)
                scores.append(self.decision_function(held_out.texts))
            share = labels.best_share(scores[0], scores[1], labels.targets(held_out))
        return side_by_side(started, fresh, share, pairs=labels.pairs)

    def _finished(self, folder: Path) -> Outcome:
        """What has come of several runs before, of which nothing else is left."""
        self._open(folder)
        ending = Ending("trained before", finished=True)
        return Outcome(self.encoder_, ending, State(), rank=0, output={})

    def _judge(self, held_out: Examples, scores: Floats) -> None:
        """Calibrate probabilities by what was held out, and tell how good it is there."""
        if len(held_out):
            labels = self._labels()
            self.labels_ = labels.calibrated(scores, labels.targets(held_out))
            self.development_ = Report.of(self.labels_, scores, held_out)

    def _take(self, model: Fitted, labels: Labels) -> None:
        self.encoder_ = model.encoder
        self.labels_ = labels
        self.head_ = Head(model.tables[HEAD], model.tables[BIAS][0], labels.pairs)

    # ---- judging --------------------------------------------------------------------------------

    @property
    def classes_(self) -> NDArray[Any]:
        """The classes, in the order of probabilities."""
        return np.array(self._labels().classes)

    def decision_function(self, texts: Sequence[Any]) -> Floats:
        """Scores: a row a text or pair, a column a class; the highest wins."""
        labels = self._labels()
        found = [np.empty((0, len(self.head_.bias)), np.float32)]
        for begin in range(0, len(texts), BLOCK):
            some = list(texts[begin : begin + BLOCK])
            kinds = set(map(type, some))
            if any(issubclass(kind, (tuple, list)) != labels.pairs for kind in kinds):
                wanted = "pairs of texts" if labels.pairs else "single texts"
                raise ConfigError(f"{wanted} are wanted")
            threads = self.settings.get("threads")
            embeddings = self.encoder_.encode(flat_texts(some), threads=threads)
            found.append(self.head_.scores(embeddings))
        return np.concatenate(found)

    def predict(self, texts: Sequence[Any]) -> Any:
        """An array of labels or scores; of several labels each, a list of tuples."""
        said = self._labels().said(self.decision_function(texts))
        return said if self._labels().task == "tags" else np.array(said)

    def predict_proba(self, texts: Sequence[Any]) -> Doubles:
        """The probability of each class, calibrated on what was held out."""
        if self._labels().task == "score":
            raise ConfigError("scores have no probabilities: use predict")
        return self._labels().probabilities(self.decision_function(texts))

    def score(self, texts: Iterable[Any], labels: Iterable[Any]) -> float:
        """The share of texts that are labeled rightly; of scores, the share of the variance."""
        return self.test(Examples.of(texts, labels)).score

    def test(self, examples: Examples) -> "Report":
        """How good it is, all in all and class by class."""
        scores = self.decision_function(examples.texts)
        return Report.of(self._labels(), scores, examples)

    def explain(self, text: str, label: Any = None) -> "Explanation":
        """What each word, and each two neighbors together, contribute to a label's score.

        :param label: the one that is predicted unless given
        """
        from cmow.classification.explaining import explain

        return explain(self.encoder_, self.head_, self._labels(), text, label)

    def _labels(self) -> Labels:
        if not hasattr(self, "labels_"):
            raise ConfigError("nothing has been learned yet: call fit, or Classifier.load")
        return self.labels_

    # ---- on disk --------------------------------------------------------------------------------

    def save(
        self, path: str | os.PathLike[str], *, storage: Storage | None = None
    ) -> list[StorageLoss]:
        """Write a model folder, which `load` opens; `cmow.load` has its encoder.

        Returns what the storage costs, as `Encoder.save` does.

        :param storage: float32, float16 (half the size) or int8 (a quarter)
        """
        labels, folder = self._labels(), Path(path)
        losses = self.encoder_.save(folder, storage=storage)
        tables = {HEAD: self.head_.matrix, BIAS: self.head_.bias.reshape(1, -1)}
        write_output(folder, load(folder).parts, tables)
        labels.write(folder)
        return losses

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Self":
        """Open a folder that ``save`` or ``cmow classify train`` has written."""
        classifier = cls()
        classifier._open(Path(path))
        return classifier

    def _open(self, folder: Path) -> None:
        labels, encoder = Labels.read(folder), load(folder)
        tables = read_output(folder, encoder.parts)
        outputs = len(labels.classes) or 1
        width = encoder.dim * (2 if labels.pairs else 1)
        shapes = {name: table.shape for name, table in tables.items()}
        if shapes != {HEAD: (outputs, width), BIAS: (1, outputs)}:
            raise FormatError(f"{folder}: the head is missing, or of another model")
        self._take(Fitted(encoder, tables), labels)

    # ---- as scikit-learn wants it ---------------------------------------------------------------

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings that were given, by name."""
        del deep
        return {"start": self.start, **self.settings}

    def set_params(self, **params: Any) -> "Self":
        """Change some settings."""
        self.start = params.pop("start", self.start)
        _check_names(params)
        self.settings = {**self.settings, **params}
        return self

    def __sklearn_tags__(self) -> Any:
        from sklearn.utils import ClassifierTags, InputTags, Tags, TargetTags

        return Tags(
            estimator_type="classifier",
            target_tags=TargetTags(required=True),
            input_tags=InputTags(string=True, two_d_array=False),
            classifier_tags=ClassifierTags(),
        )

    def __repr__(self) -> str:
        given = {} if self.start == SHIPPED else {"start": self.start}
        shown = ", ".join(f"{name}={value!r}" for name, value in {**given, **self.settings}.items())
        return f"Classifier({shown})"


def _check_free(folder: Path, *, resume: bool) -> None:
    """Refuse at once what could not be written in the end."""
    check_replaceable(folder)
    if not resume and folder.exists() and any(folder.iterdir()):
        raise ConfigError(f"{folder} is a model already: choose another folder, or remove it")


def is_classifier(folder: Path) -> bool:
    """Whether a model's folder says what its labels are."""
    return (folder / PAGE).exists()


def is_finished(folder: Path) -> bool:
    """Whether a folder has a classifier, and nothing of a run that goes on."""
    return is_classifier(folder) and not run_place(folder).exists()


def _place(folder: Path | None, name: str) -> Path | None:
    """Where one of several models is kept, so that a run may go on from it."""
    if folder is None:
        return None
    place = run_place(folder)
    place.mkdir(parents=True, exist_ok=True)
    return place / name


def _named(callbacks: Sequence[Callback], run: str) -> list[Callback]:
    """The callbacks, told which run it is."""

    def name(callback: Callback) -> Callback:
        return lambda progress: callback(progress._replace(run=run))

    return [name(callback) for callback in callbacks]


def _check_names(settings: Iterable[str]) -> None:
    if unknown := sorted(set(settings) - set(OWN) - set(TRAINING)):
        raise ConfigError(f"there is no setting {unknown[0]}: see cmow classify train --help")


def _training_layer(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of training, those of text in their table."""
    prepare = {name: settings[name] for name in PREPARE if name in settings}
    rest = {name: value for name, value in settings.items() if name in TRAINING}
    rest = {name: value for name, value in rest.items() if name not in prepare}
    return {**rest, "prepare": prepare} if prepare else rest
