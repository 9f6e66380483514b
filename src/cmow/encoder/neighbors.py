"""The words whose rows are alike."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from cmow.arrays import Floats
from cmow.encoder.part import Part
from cmow.errors import ConfigError, UnknownWordError
from cmow.suggesting import did_you_mean
from cmow.text import Tokenizer

BLOCK = 4096
SUGGESTED_FROM = 50_000  # words, the most frequent first


class Neighbor(NamedTuple):
    """A word and how alike another one it is."""

    word: str
    similarity: float


def neighbors(tokenizer: Tokenizer, parts: Sequence[Part], word: str, count: int) -> list[Neighbor]:
    """The words whose rows deviate from the neutral element in the most similar direction.

    Parts count alike: the similarity is the mean of the parts' cosines.
    """
    if count < 0:
        raise ConfigError(f"count must not be negative, not {count}")
    index, words = look_up(tokenizer, word), tokenizer.vocabulary.words
    similarities = np.mean([_cosines(part, index) for part in parts], axis=0)
    similarities[index] = -np.inf
    order = np.argsort(-similarities, kind="stable")[: min(count, len(words) - 1)]
    return [Neighbor(words[other], float(similarities[other])) for other in order]


def look_up(tokenizer: Tokenizer, word: str) -> int:
    """The index of a word as it stands in the vocabulary, or as it stands in a text."""
    tokens = tokenizer.split([word])[0]
    candidates = [word, *tokens] if len(tokens) == 1 else [word]
    for candidate in candidates:
        index = tokenizer.vocabulary.get(candidate)
        if index is not None:
            return index
    frequent = tokenizer.vocabulary.words[:SUGGESTED_FROM]
    suggestion = did_you_mean(candidates[-1], frequent)
    raise UnknownWordError(f"{word!r} is not in the vocabulary{suggestion}")


def _cosines(part: Part, index: int) -> Floats:
    """Cosines between the deviation of one row and those of all rows."""
    direction = _directions(part, slice(index, index + 1))[0]
    cosines = np.empty(len(part.table), np.float32)
    for start in range(0, len(cosines), BLOCK):
        block = slice(start, start + BLOCK)
        cosines[block] = _directions(part, block) @ direction
    return cosines


def _directions(part: Part, block: slice) -> Floats:
    deviations = part.deviations(block)
    norms = np.linalg.norm(deviations, axis=1, keepdims=True)
    np.divide(deviations, norms, out=deviations, where=norms > 0)
    return deviations
