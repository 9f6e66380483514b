"""How encoders are made: from nothing, from vectors of others, and from other encoders."""

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from cmow.arrays import Floats
from cmow.choices import INITIALIZATION, SHAPE, SIGMA, SPLITTER, Initialization, Splitter
from cmow.encoder.base import EncoderBase
from cmow.encoder.caching import Ngram, cache_ngrams
from cmow.encoder.initialization import initial_parts
from cmow.encoder.inputs import listed
from cmow.encoder.part import Part
from cmow.encoder.projection import Projection
from cmow.encoder.shapes import Shape
from cmow.encoder.sif import first_components, frequency_weights, weighed, without
from cmow.encoder.union import unite_parts, unite_tokenizers
from cmow.encoder.vectors import read_vectors
from cmow.errors import ConfigError
from cmow.spelling import former_keywords
from cmow.text import Tokenizer, Vocabulary

if TYPE_CHECKING:
    from typing_extensions import Self

ORDER_WEIGHT = 0.5  # of the parts that see the order of words, in cosines: by bench/cosines.py
SMOOTHING = 1e-3  # of the frequencies of words, by bench/sif.py, as is the next
COMPONENTS = 2


class Making(EncoderBase):
    """The methods that return an encoder."""

    @classmethod
    @former_keywords
    def initialize(
        cls,
        vocabulary: Vocabulary | Tokenizer,
        shape: str | Sequence[tuple[str, int]] = SHAPE,
        initialization: Initialization = INITIALIZATION,
        seed: int = 0,
        sigma: float = SIGMA,
    ) -> "Self":
        """An untrained encoder, by default as the recipe of training starts.

        :param vocabulary: the words, of texts that white space splits, or a tokenizer.
        :param shape: a name such as hybrid-800 or terms such as ``sum(400)+product(20)``.
        :param initialization: of product parts: identity, glorot or normal.
        :param sigma: standard deviation of the normal distributions; the paper has 0.1.
        """
        if isinstance(vocabulary, Vocabulary):
            vocabulary = Tokenizer.whitespace(vocabulary)
        parts = initial_parts(
            shape,
            words=len(vocabulary.vocabulary),
            initialization=initialization,
            seed=seed,
            sigma=sigma,
        )
        return cls(vocabulary, parts)

    initialise = initialize  # its former spelling

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
    def concatenate(cls, *encoders: EncoderBase, weights: Sequence[float] | None = None) -> "Self":
        """One encoder with the parts of all, which must split texts alike; caches are dropped.

        A word that only some know is the neutral element for the others: as if discarded.

        :param weights: what the embeddings of each are multiplied by.
        """
        if not encoders:
            raise ConfigError("nothing to concatenate")
        if weights is not None and len(weights) != len(encoders):
            raise ConfigError(f"{len(weights)} weights for {len(encoders)} encoders")
        tokenizer = unite_tokenizers([encoder.tokenizer for encoder in encoders])
        parts = unite_parts(
            [encoder.parts for encoder in encoders],
            [encoder.tokenizer.vocabulary for encoder in encoders],
            tokenizer.vocabulary,
        )
        if weights is None and all(encoder.projection is None for encoder in encoders):
            return cls(tokenizer, parts)
        names = iter(part.name for part in parts)
        called = [{part.name: next(names) for part in encoder.parts} for encoder in encoders]
        projections = [
            (encoder.projection or Projection.side_by_side(encoder.parts)).scaled(weight)
            for encoder, weight in zip(encoders, weights or [1.0] * len(encoders), strict=True)
        ]
        return cls(tokenizer, parts, projection=Projection.united(projections, called))

    def part(self, name: str) -> "Self":
        """An encoder of the named part alone."""
        return self._of_parts([self._part(name)], bias=False)

    def bag(self) -> "Self":
        """An encoder of the parts that do not see the order of words."""
        return self._of_parts(self._by_order(sees=False), bias=True)

    def order(self) -> "Self":
        """An encoder of the parts that see the order of words."""
        return self._of_parts(self._by_order(sees=True), bias=False)

    def cut(self, dimensions: int) -> "Self":
        """An encoder of the first numbers of each embedding."""
        if not 1 <= dimensions <= self.dim:
            raise ConfigError(f"dimensions must be 1 to {self.dim}, not {dimensions}")
        projection = (self.projection or Projection.side_by_side(self.parts)).cut(dimensions)
        names = {place.part for place in projection.placements}
        return self._with([part for part in self.parts if part.name in names], projection)

    def averaged(self) -> "Self":
        """An encoder of the same tables whose parts show what a word adds on average.

        So the lengths of embeddings do not grow with those of texts, as it should be where they
        stand beside others.
        """
        return self._with([_averaged(part) for part in self.parts], self.projection)

    def comparable(self) -> "Self":
        """An encoder whose embeddings are compared by their cosines, as `similarity` does.

        Parts that stand side by side show what a text adds to the neutral element, and those that
        see the order of words count by half: development pairs like that best. A projection stays
        as it was learned.
        """
        if self.projection is not None or all(part.monoid.commutes for part in self.parts):
            return self
        side_by_side = Projection.side_by_side(self.parts)
        placements = tuple(
            place if part.monoid.commutes else place.scaled(ORDER_WEIGHT)
            for part, place in zip(self.parts, side_by_side.placements, strict=True)
        )
        parts = [_averaged(part) for part in self.parts]
        return self._with(parts, replace(side_by_side, placements=placements))

    def bounded(self, texts: Sequence[str]) -> "Self":
        """An encoder whose parts show nothing longer than of any of these texts.

        Products of many matrices may grow without end: so a document cannot be more than the
        sentences that an encoder has learned from.
        """
        projection = self.projection or Projection.side_by_side(self.parts)
        longest = {
            part.name: float(
                np.linalg.norm(type(self)(self.tokenizer, [part]).encode(texts), axis=1).max()
            )
            for part in self.parts
        }
        return self._with(self.parts, projection.bounded(longest))

    def weighted_by_frequency(self, smoothing: float = SMOOTHING) -> "Self":
        """An encoder in which frequent words count less; caches are dropped.

        A word counts a / (a + its share of the corpus): smooth inverse frequency, SIF. That scales
        its vectors, and what its matrices deviate from the one that changes nothing, if there is
        one. It needs the vocabulary's counts, and an encoder without a projection. Tables become
        float32.

        :param smoothing: a, the share of a word that counts half.
        """
        weights = frequency_weights(self.tokenizer.vocabulary.counts, smoothing)
        parts = [weighed(part, weights) for part in self._own_parts()]
        return self._reworked(parts, {"frequency smoothing": smoothing})

    def without_components(self, texts: Iterable[str], components: int = COMPONENTS) -> "Self":
        """An encoder whose vectors have nothing of what most texts share; caches are dropped.

        Sums do without the first principal components of the mean vectors of texts, and their
        tables become float32. Matrices stay as they are.

        :param texts: a sample of what will be encoded; some thousands are plenty.
        :param components: how many directions are taken out.
        """
        if not any(part.monoid.adds for part in self._own_parts()):
            raise ConfigError("no part adds its rows, so no component can be taken out of them")
        texts = listed(texts)
        parts = [
            without(part, first_components(self._means(part, texts), components))
            if part.monoid.adds
            else part
            for part in self.parts
        ]
        return self._reworked(parts, {"components removed": components})

    def _own_parts(self) -> tuple[Part, ...]:
        """The parts, unless a projection was made for them as they are."""
        if self.projection is not None:
            raise ConfigError(
                "the projection was made for the rows as they are: change those of an encoder "
                "before comparable() or concatenate(weights=…), and of a distilled one not at all"
            )
        return self.parts

    def _means(self, part: Part, texts: Sequence[str]) -> Floats:
        return type(self)(self.tokenizer, [_averaged(part)]).encode(texts)

    def _reworked(self, parts: Sequence[Part], how: Mapping[str, Any]) -> "Self":
        return type(self)(self.tokenizer, parts, training={**self.training, **how})

    def _by_order(self, *, sees: bool) -> list[Part]:
        parts = [part for part in self.parts if part.monoid.commutes is not sees]
        if not parts:
            raise ConfigError(
                f"no part of {Shape(part.shape for part in self.parts)} "
                f"{'sees' if sees else 'ignores'} the order of words"
            )
        return parts

    def _of_parts(self, parts: Sequence[Part], *, bias: bool) -> "Self":
        projection = self.projection
        if projection is not None:
            projection = projection.of_parts({part.name for part in parts}, bias=bias)
        return self._with(parts, projection)

    def _with(self, parts: Sequence[Part], projection: Projection | None) -> "Self":
        return type(self)(
            self.tokenizer,
            parts,
            projection=projection,
            ngrams=self._ngrams,
            training=self.training,
        )

    def with_ngram_cache(
        self, texts_or_counts: Iterable[str] | Mapping[Ngram, int], *, megabytes: float = 4
    ) -> "Self":
        """An encoder that multiplies ready-made products of frequent n-grams.

        :param texts_or_counts: a sample of what will be encoded, or n-grams (words with blanks
            between them, or a tuple) and how often each occurs.
        :param megabytes: memory for the products.
        """
        ngrams = cache_ngrams(self.tokenizer, self.parts, texts_or_counts, megabytes)
        return type(self)(
            self.tokenizer,
            self.parts,
            projection=self.projection,
            ngrams=ngrams,
            training=self.training,
        )


def _averaged(part: Part) -> Part:
    """The same table, which need not be read again, shown as what a word adds on average."""
    return replace(part, shape=replace(part.shape, mean=True), known=part.magnitudes)
