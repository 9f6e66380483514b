"""From examples to an encoder and the head that tells their labels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from cmow.arrays import Booleans, Floats
from cmow.classification.data import Examples
from cmow.classification.labels import Labels, held_out, in_folds
from cmow.classification.settings import ClassifySettings, read_rates
from cmow.classification.starting import in_words
from cmow.corpus import SPLITTERS, Corpus, prepare
from cmow.encoder import Encoder, Part, Shape
from cmow.errors import ConfigError
from cmow.threads import thread_count
from cmow.training import (
    Callback,
    LabelsObjective,
    LabelsStart,
    Outcome,
    TrainConfig,
    run_training,
)

RECIPE = "classify"
LINE = 64  # texts
EPOCHS, UPDATES = 3, 1500  # what training ends after: whichever is longer
LONG = 32  # words of a text
RATE_OF_START = 0.5  # what is known already moves less; found on texts held out of training
VALIDATION = 100  # updates before one, at least; else it is half an epoch


@dataclass(frozen=True, eq=False)
class Head:
    """What makes scores of embeddings.

    :param matrix: a row a class
    """

    matrix: Floats
    bias: Floats
    pairs: bool

    def features(self, embeddings: Floats) -> Floats:
        """What the matrix is multiplied with; the texts of a pair stand one behind the other."""
        if not self.pairs:
            return embeddings
        u, v = embeddings[0::2], embeddings[1::2]
        return np.concatenate([np.abs(u - v), u * v], axis=1)

    def scores(self, embeddings: Floats) -> Floats:
        """A row a text or pair, a column a class."""
        scores: Floats = self.features(embeddings) @ self.matrix.T + self.bias
        return scores


class Material(NamedTuple):
    """All that is learned from: training and development together.

    :param read: whether the words of an example are known
    """

    examples: Examples
    read: Booleans
    held_out: Booleans
    labels: Labels


def split(
    examples: Examples,
    development: Examples | None,
    settings: ClassifySettings,
    config: TrainConfig,
) -> list[Material]:
    """The examples, with those for validation marked: once, or a fold at a time.

    :param development: those; else a share of all
    """
    labels, count = Labels.of(examples, settings), settings.folds
    if count > 1:
        if development is not None:
            raise ConfigError("folds hold out texts of their own: leave the development split away")
        if count > len(examples):
            raise ConfigError(f"{count} folds of {len(examples)} texts: lower folds")
        folds, every = in_folds(examples, count, seed=config.seed), np.ones(len(examples), bool)
        return [Material(examples, every, folds == number, labels) for number in range(count)]
    if development is None:
        chosen = held_out(examples, config.validation_share, seed=config.seed)
        return [Material(examples, ~chosen, chosen, labels)]
    labels.targets(development)  # refuses what is unknown
    both = examples.followed_by(development)
    chosen = np.arange(len(both)) >= len(examples)
    return [Material(both, ~chosen, chosen, labels)]


def settled(values: Mapping[str, Any]) -> TrainConfig:
    """Settings of training: what is not given is the recipe's."""
    more = {"stop_by": "training"} if values.get("validation_share") == 0 else {}
    return TrainConfig.of({"recipe": RECIPE, **values, **more})


def run_fitting(
    material: Material,
    settings: ClassifySettings,
    config: TrainConfig,
    *,
    start: Encoder | None = None,
    fresh: bool = False,
    folder: Path | None = None,
    resume: bool = False,
    callbacks: Sequence[Callback] = (),
) -> Outcome:
    """Train the parts and the head.

    :param fresh: of the start take the words only
    """
    corpus, known = _corpus(material, start, config)
    if fresh:
        known = []
    if known:
        config = replace(config, shape=str(Shape([part.shape for part in known])))
    longest = int(np.diff(corpus.offsets).max())
    usual = RATE_OF_START if known else 1.0
    given = None if fresh else settings.rates
    rates = part_rates(given, Shape.parse(config.shape), longest, usual=usual)
    chosen = material.held_out
    if not (~chosen).any():
        raise ConfigError("no text is left to train on: give more, or lower validation_share")
    updates = int((~chosen).sum()) / config.batch_sentences  # an epoch
    config = replace(
        config,
        stop_by="validation" if chosen.any() else "training",
        validation_share=min(float(chosen.mean()), 0.49),
        validation_updates=max(round(updates / 2), VALIDATION),
    )
    if config.epochs is None and config.max_updates is None and config.max_minutes is None:
        config = replace(config, epochs=max(float(EPOCHS), UPDATES / updates))
    objective = LabelsObjective(
        material.labels.answers(material.examples, chosen, settings),
        config,
        word_dropout=settings.word_dropout,
        start=LabelsStart(known, rates),
    )
    return run_training(
        corpus, config, objective=objective, folder=folder, resume=resume, callbacks=callbacks
    )


def flat_texts(examples: Sequence[Any]) -> list[str]:
    """The texts, those of pairs one behind the other."""
    if examples and isinstance(examples[0], (tuple, list)):
        return [text for pair in examples for text in pair]
    return list(examples)


def part_rates(given: Any, shape: Shape, longest: int, *, usual: float = 1.0) -> dict[str, float]:
    """How fast parts learn, by name; those that are not named learn as usual.

    The longer a text, the farther its product goes with a step of each of its matrices: where
    texts are long they step less, or products would explode.
    """
    rates = {} if given is None else read_rates(given)
    if isinstance(rates, float):
        rates = dict.fromkeys(shape.names, rates)
    if unknown := sorted(rates.keys() - set(shape.names)):
        raise ConfigError(f"rates of {unknown[0]!r}, but there is {', '.join(shape.names)}")
    steady = min(1.0, LONG / longest)
    return {
        name: rates.get(name, usual) * (1.0 if part.monoid.commutes else steady)
        for name, part in zip(shape.names, shape, strict=True)
    }


def _corpus(
    material: Material, start: Encoder | None, config: TrainConfig
) -> tuple[Corpus, list[Part]]:
    """All texts as ids, in the words of those that are read and of the start, and its rows."""
    texts = flat_texts(material.examples.texts)
    each = len(texts) // len(material.examples)
    read = np.repeat(material.read, each)
    chosen = [text for text, wanted in zip(texts, read, strict=True) if wanted]
    settings = config.prepare
    if start is not None:
        kind = start.tokenizer.kind
        settings = replace(
            settings,
            tokenizer=kind if kind in SPLITTERS else settings.tokenizer,
            lowercase=start.tokenizer.lowercase,
        )
    # Corpora leave out what has one word only: here it counts, so that lines are of many texts.
    lines = [" ".join(chosen[at : at + LINE]) for at in range(0, len(chosen), LINE)]
    with TemporaryDirectory(prefix="cmow-") as place:
        learnt = prepare(lines, Path(place) / "corpus", settings, threads=config.threads)
    tokenizer, known = (
        (learnt.tokenizer, []) if start is None else in_words(start, learnt.tokenizer)
    )
    ids = tokenizer.ids(texts, threads=thread_count(config.threads))
    if not len(ids.flat):
        raise ConfigError("the tokenizer knows no word of the texts: choose another start")
    return Corpus(ids.flat, ids.offsets, tokenizer, learnt.manifest), known
