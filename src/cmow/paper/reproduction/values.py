"""The mean absolute value of an embedding against the number of multiplications."""

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from cmow.corpus import Corpus
from cmow.encoder import Encoder
from cmow.errors import ConfigError
from cmow.evaluation import grid
from cmow.paper.reproduction.experiment import Experiment
from cmow.paper.reproduction.expression import encoder_of
from cmow.paper.reproduction.model_store import ModelStore
from cmow.paper.reproduction.plot import drawn_curves

SENTENCES = 2000
WORDS = 32  # of the sentences that are cut to every length
MOMENTS = ("at the start", "after training")

Curves = dict[str, dict[str, list[float]]]  # by row and moment, from no multiplication on


def curves(experiment: Experiment, store: ModelStore) -> Curves:
    """The values of each row's embeddings before and after training."""
    beginnings = _beginnings(store.corpus)
    start = partial(store.start, experiment, seed=0)
    trained = partial(store.model, experiment, seed=0)
    return {
        row.name: {
            moment: _curve(encoder_of(row.encoder, make), beginnings)
            for moment, make in zip(MOMENTS, (start, trained), strict=True)
        }
        for row in experiment.rows
    }


def check_corpus(corpus: Corpus) -> None:
    """Refuse a corpus of short sentences."""
    if not _long_sentences(corpus).size:
        raise ConfigError(f"no sentence of the corpus has {WORDS} words: values need a longer one")


def _beginnings(corpus: Corpus) -> np.ndarray[Any, np.dtype[np.int32]]:
    """The first words of the first sentences that are long enough."""
    return np.array([corpus[number][:WORDS] for number in _long_sentences(corpus)], np.int32)


def _long_sentences(corpus: Corpus) -> np.ndarray[Any, np.dtype[np.intp]]:
    lengths = np.diff(corpus.offsets[: 100 * SENTENCES])
    return np.flatnonzero(lengths >= WORDS)[:SENTENCES]


def _curve(encoder: Encoder, beginnings: np.ndarray[Any, np.dtype[np.int32]]) -> list[float]:
    return [
        float(np.abs(encoder.encode_ids(beginnings[:, :words])).mean())
        for words in range(1, beginnings.shape[1] + 1)
    ]


def table(found: Curves) -> str:
    """The values after some numbers of multiplications."""
    places = (0, 1, 3, 7, 15, WORDS - 1)
    rows = [
        [f"{row}, {moment}", *(f"{values[place]:.2g}" for place in places)]
        for row, moments in found.items()
        for moment, values in moments.items()
    ]
    return grid([["multiplications", *map(str, places)], *rows])


def plot(found: Curves, path: Path) -> None:
    """Draw the curves: dashed at the start, solid after training."""
    with drawn_curves(path) as axes:
        for number, (row, moments) in enumerate(found.items()):
            for style, (moment, values) in zip(("--", "-"), moments.items(), strict=True):
                axes.plot(values, style, color=f"C{number}", label=f"{row}, {moment}")
        axes.set(yscale="log", xlabel="multiplications", ylabel="mean absolute value")
