"""The words whose rows are alike."""

from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

import numpy as np

from cmow.arrays import Floats
from cmow.encoder.part import Part
from cmow.errors import ConfigError, UnknownWordError
from cmow.text import Tokenizer

BLOCK = 4096
SUGGESTED_FROM = 50_000  # words, the most frequent first


class Neighbour(NamedTuple):
    """A word and how alike another one it is."""

    word: str
    similarity: float


def neighbours(
    tokenizer: Tokenizer, parts: Sequence[Part], word: str, count: int
) -> list[Neighbour]:
    """The words whose rows deviate from the neutral element in the most similar direction.

    Parts count alike: the similarity is the mean of the parts' cosines.
    """
    if count < 0:
        raise ConfigError(f"count must not be negative, not {count}")
    index, words = look_up(tokenizer, word), tokenizer.vocabulary.words
    similarities = np.mean([_cosines(part, index) for part in parts], axis=0)
    similarities[index] = -np.inf
    order = np.argsort(-similarities, kind="stable")[: min(count, len(words) - 1)]
    return [Neighbour(words[other], float(similarities[other])) for other in order]


def look_up(tokenizer: Tokenizer, word: str) -> int:
    """The index of a word as it stands in the vocabulary, or as it stands in a text."""
    candidates = [word, *tokenizer.split([word])[0]]
    for candidate in candidates if len(candidates) == 2 else [word]:
        index = tokenizer.vocabulary.get(candidate)
        if index is not None:
            return index
    frequent = tokenizer.vocabulary.words[:SUGGESTED_FROM]
    close = get_close_matches(candidates[-1], frequent, n=3)
    suggestion = f": did you mean {', '.join(close)}?" if close else ""
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
