"""Where training starts from: a random encoder, or one that was trained before."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from cmow.arrays import Floats
from cmow.corpus import Corpus
from cmow.encoder import Encoder, Part, load
from cmow.errors import ConfigError, FormatError
from cmow.text import Tokenizer, Vocabulary
from cmow.training.config import TrainConfig
from cmow.training.objectives import Objective
from cmow.training.parameters import Parameters
from cmow.training.store import OUTPUT_FILE, read_output


class Start(NamedTuple):
    """What the first update works on."""

    tokenizer: Tokenizer  # of the model to be
    parameters: Parameters


def make_start(corpus: Corpus, objective: Objective, config: TrainConfig) -> Start:
    """The start that a configuration asks for."""
    if config.continue_from is None:
        parts = objective.start(_random_parts(corpus.tokenizer, config, config.shape), corpus)
        own = objective.tables([part.shape for part in parts], len(corpus.vocabulary))
        return Start(corpus.tokenizer, Parameters.of(parts, own))
    return _continued(corpus, objective, config, Path(config.continue_from))


def _random_parts(tokenizer: Tokenizer, config: TrainConfig, shape: str) -> list[Part]:
    untrained = Encoder.initialize(
        tokenizer,
        shape=shape,
        initialization=config.initialization,
        seed=config.seed,
        sigma=config.sigma,
    )
    return list(untrained.parts)


def _continued(corpus: Corpus, objective: Objective, config: TrainConfig, folder: Path) -> Start:
    """The rows of a model; words of the corpus that are new to it follow with a random start."""
    model = load(folder)
    known, words = model.vocabulary, corpus.vocabulary.words
    if words[: len(known)] != known.words:
        raise ConfigError(
            f"the corpus was prepared with other words than those of {folder}: give its text, "
            "or prepare it with that model's tokenizer.json"
        )
    if len(words) > len(known) and not config.extend_vocabulary:
        raise ConfigError(
            f"the corpus has {len(words) - len(known)} words that {folder} does not know: "
            "set extend_vocabulary, or prepare it with that model's tokenizer.json"
        )
    fresh = _random_parts(corpus.tokenizer, config, str(model.shape))
    parts = [
        Part(part.name, part.shape, _joined(part.rows(), start.table))
        for part, start in zip(model.parts, fresh, strict=True)
    ]
    own = dict(objective.tables(model.shape, len(words)))
    before = objective.tables(model.shape, len(known))
    for name, kept in read_output(folder, model.parts).items():
        if name not in own or kept.shape != before[name].shape:
            raise FormatError(f"{folder / OUTPUT_FILE}: not of this model; remove it")
        own[name] = _joined(kept, own[name])
    return Start(_with_counts(corpus.tokenizer, known), Parameters.of(parts, own))


def _joined(old: Floats, fresh: Floats) -> Floats:
    return np.concatenate([old, fresh[len(old) :]])


def _with_counts(tokenizer: Tokenizer, known: Vocabulary) -> Tokenizer:
    """The tokenizer with the counts of both corpora."""
    if tokenizer.kind == "custom":
        return tokenizer
    counts = tokenizer.vocabulary.counts.copy()
    counts[: len(known)] += known.counts
    return tokenizer.replace_vocabulary(Vocabulary(tokenizer.vocabulary.words, counts))
