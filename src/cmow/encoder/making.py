"""How encoders are made: from nothing, from vectors of others, and from other encoders."""

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from cmow.choices import INITIALISATION, SHAPE, SIGMA, SPLITTER, Initialisation, Splitter
from cmow.encoder.base import EncoderBase
from cmow.encoder.caching import Ngram, cache_ngrams
from cmow.encoder.initialisation import initial_parts
from cmow.encoder.part import Part
from cmow.encoder.shapes import Shape
from cmow.encoder.union import unite_parts, unite_tokenizers
from cmow.encoder.vectors import read_vectors
from cmow.errors import ConfigError
from cmow.text import Tokenizer, Vocabulary

if TYPE_CHECKING:
    from typing_extensions import Self


class Making(EncoderBase):
    """The methods that return an encoder."""

    @classmethod
    def initialise(
        cls,
        vocabulary: Vocabulary | Tokenizer,
        shape: str | Sequence[tuple[str, int]] = SHAPE,
        initialisation: Initialisation = INITIALISATION,
        seed: int = 0,
        sigma: float = SIGMA,
    ) -> "Self":
        """An untrained encoder, by default as the recipe of training starts.

        :param vocabulary: the words, of texts that white space splits, or a tokenizer.
        :param shape: a name such as hybrid-800 or terms such as ``sum(400)+product(20)``.
        :param initialisation: of product parts: identity, glorot or normal.
        :param sigma: standard deviation of the normal distributions; the paper has 0.1.
        """
        if isinstance(vocabulary, Vocabulary):
            vocabulary = Tokenizer.whitespace(vocabulary)
        parts = initial_parts(
            shape,
            words=len(vocabulary.vocabulary),
            initialisation=initialisation,
            seed=seed,
            sigma=sigma,
        )
        return cls(vocabulary, parts)

    @classmethod
    def from_vectors(
        cls,
        path: str | os.PathLike[str],
        *,
        tokenizer: Splitter = SPLITTER,
        lowercase: bool = False,
        limit: int | None = None,
    ) -> "Self":
        """An encoder that adds the vectors of a word2vec, fastText or GloVe file.

        :param tokenizer: how texts are split: "words" or "whitespace".
        :param lowercase: lower-case texts, and the words of the file, which are taken as they are
            unless told otherwise: a file may well hold both cases of a word.
        :param limit: use the first vectors of the file only.
        """
        kinds = {"words": Tokenizer.words, "whitespace": Tokenizer.whitespace}
        if tokenizer not in kinds:
            raise ConfigError(f"unknown tokenizer {tokenizer!r}: choose from {', '.join(kinds)}")
        words, table = read_vectors(path, lowercase=lowercase, limit=limit).tokens()
        (shape,) = Shape.parse([("sum", table.shape[1])])
        part = Part("cbow", shape, table)
        return cls(kinds[tokenizer](Vocabulary(words), lowercase=lowercase), [part])

    @classmethod
    def concatenate(cls, *encoders: EncoderBase) -> "Self":
        """One encoder with the parts of all, which must split texts alike; caches are dropped.

        A word that only some know is the neutral element for the others: as if discarded.
        """
        if not encoders:
            raise ConfigError("nothing to concatenate")
        tokenizer = unite_tokenizers([encoder.tokenizer for encoder in encoders])
        parts = unite_parts(
            [encoder.parts for encoder in encoders],
            [encoder.tokenizer.vocabulary for encoder in encoders],
            tokenizer.vocabulary,
        )
        return cls(tokenizer, parts)

    def part(self, name: str) -> "Self":
        """An encoder of the named part alone."""
        part = self._part(name)
        return type(self)(self.tokenizer, [part], ngrams=self._ngrams, training=self.training)

    def with_ngram_cache(
        self, texts_or_counts: Iterable[str] | Mapping[Ngram, int], *, megabytes: float = 4
    ) -> "Self":
        """An encoder that multiplies ready-made products of frequent n-grams.

        :param texts_or_counts: a sample of what will be encoded, or n-grams (words with blanks
            between them, or a tuple) and how often each occurs.
        :param megabytes: memory for the products.
        """
        ngrams = cache_ngrams(self.tokenizer, self.parts, texts_or_counts, megabytes)
        return type(self)(self.tokenizer, self.parts, ngrams=ngrams, training=self.training)
