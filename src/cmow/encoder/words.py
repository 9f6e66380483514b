"""An encoder's words: which are alike, what their rows are, and how many of a text's it knows."""

import os
from collections.abc import Iterable
from typing import NamedTuple

from cmow.encoder.base import EncoderBase
from cmow.encoder.inputs import text_blocks
from cmow.encoder.neighbours import Neighbour, neighbours
from cmow.encoder.vectors import WordVectors, write_vectors
from cmow.errors import ConfigError


class Coverage(NamedTuple):
    """How many tokens of some texts are in the vocabulary; the others are discarded."""

    tokens: int
    known: int
    share: float  # known tokens of all; 1 where there are none


class Words(EncoderBase):
    """The methods about single words."""

    def most_similar_words(self, word: str, *, count: int = 10) -> list[Neighbour]:
        """The words whose rows deviate from the neutral element in the most similar direction."""
        return neighbours(self.tokenizer, self.parts, word, count)

    def word_vectors(self, part: str) -> WordVectors:
        """The words and their rows in the named part, as float32."""
        return WordVectors(list(self.tokenizer.vocabulary.words), self._part(part).rows())

    def write_vectors(
        self, path: str | os.PathLike[str], *, part: str = "cbow", binary: bool = False
    ) -> None:
        """Write a sum part in word2vec's text or binary format."""
        chosen = self._part(part)
        if not chosen.monoid.has_vectors:
            raise ConfigError(f"part {part!r} is a product: vector files are for sums")
        write_vectors(path, self.tokenizer.vocabulary.words, chosen.rows(), binary=binary)

    def coverage(self, texts: Iterable[str]) -> Coverage:
        """How many tokens of the texts are in the vocabulary."""
        known = tokens = 0
        for block in text_blocks(texts):
            ids = self.tokenizer.ids(block)
            known += len(ids.flat)
            tokens += len(ids.flat) + ids.discarded
        return Coverage(tokens, known, known / tokens if tokens else 1.0)
