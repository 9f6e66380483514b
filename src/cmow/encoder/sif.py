"""Smooth inverse frequency, baked into tables: less of what all texts share.

After Arora, Liang and Ma, *A Simple but Tough-to-Beat Baseline for Sentence Embeddings*, ICLR 2017:
frequent words count less, and the directions that most texts point to are taken out.
"""

import math
from dataclasses import replace

import numpy as np

from cmow.arrays import Floats, Int64s
from cmow.encoder.part import Part
from cmow.errors import ConfigError


def frequency_weights(counts: Int64s, smoothing: float) -> Floats:
    """What each word counts: the smoothing, divided by itself and the word's share of the corpus.

    :param counts: how often each word occurs in the corpus
    """
    if not 0 < smoothing < math.inf:
        raise ConfigError(f"smoothing must be a positive number, not {smoothing}")
    if not counts.any():
        raise ConfigError(
            "the vocabulary has no counts, so no word is known to be frequent: make it with them, "
            "Vocabulary(words, counts)"
        )
    weights: Floats = (smoothing / (smoothing + counts / counts.sum())).astype(np.float32)
    return weights


def weighed(part: Part, weights: Floats) -> Part:
    """The part of words that count so much.

    Rows are drawn to the one that changes nothing. Where there is none, since every word adds
    something, they are drawn to 0: so a run of words counts the product of what they count.
    """
    neutral = part.monoid.neutral_row()
    start = np.zeros(part.monoid.row_width, np.float32) if neutral is None else neutral
    rows: Floats = start + (part.rows() - start) * weights[:, None]
    return replace(part, table=rows, scales=None)


def first_components(embeddings: Floats, count: int) -> Floats:
    """The directions, a row each, that embeddings have most of; no mean is taken off before."""
    embeddings = embeddings.astype(np.float64)
    if not embeddings.any():
        raise ConfigError("no text has a known word: give texts such as will be encoded")
    moments = embeddings.T @ embeddings
    most = int(np.linalg.matrix_rank(moments, hermitian=True))
    if not 1 <= count <= most:
        raise ConfigError(f"components must be 1 to {most}, which these texts have, not {count}")
    _, directions = np.linalg.eigh(moments)  # the least first
    return np.ascontiguousarray(directions.T[::-1][:count])


def without(part: Part, components: Floats) -> Part:
    """The part whose rows, and so all that they add up to, have nothing of these directions."""
    rows = part.rows()
    shared = (rows @ components.T) @ components
    return replace(part, table=(rows - shared).astype(np.float32), scales=None)
