"""Vectors of single words, for encoders that offer them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from cmow.arrays import Floats
from cmow.evaluation.task import NotOffered


class Part(Protocol):
    """A table with one row a word."""

    name: str

    def deviations(self) -> Floats:
        """What the rows of all words deviate from the row that they started around."""
        ...


class Vocabulary(Protocol):
    """The words that the rows belong to."""

    words: Sequence[str]


@runtime_checkable
class WordVectors(Protocol):
    """What an encoder needs for the word tasks; cmow's own has it."""

    vocabulary: Vocabulary
    parts: Sequence[Part]


class Words(NamedTuple):
    """The words of one part with vectors of length 1; a word is looked up as it is, then lower."""

    part: str
    numbers: dict[str, int]
    vectors: Floats

    def find(self, word: str) -> int | None:
        """The row of a word, if it has one."""
        return self.numbers.get(word, self.numbers.get(word.lower()))


def words_of(encoder: object) -> Iterator[Words]:
    """The words of each part, with what is their own in its rows."""
    if not isinstance(encoder, WordVectors):
        raise NotOffered("the encoder has no parts with word vectors")
    numbers = {word: row for row, word in enumerate(encoder.vocabulary.words)}
    for part in encoder.parts:
        vectors = np.array(part.deviations(), np.float32)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        vectors /= np.where(norms > 0, norms, 1)
        yield Words(part.name, numbers, vectors)
