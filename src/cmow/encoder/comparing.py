"""How alike texts are."""

import logging
from collections.abc import Iterable
from typing import Any, overload

import numpy as np

from cmow.arrays import Embeddings, Floats
from cmow.encoder.base import EncoderBase
from cmow.encoder.inputs import BLOCK_TEXTS
from cmow.encoder.sides import Texts, Vectors, as_embeddings, blocks
from cmow.errors import ConfigError

logger = logging.getLogger(__name__)


class Comparing(EncoderBase):
    """The methods that compare texts, by the cosines of `comparable` embeddings."""

    @overload
    def similarity(  # type: ignore[overload-overlap]
        self, a: str, b: str, *, order: float | None = None
    ) -> float: ...
    @overload
    def similarity(
        self,
        a: str | Iterable[str] | Embeddings,
        b: str | Iterable[str] | Embeddings,
        *,
        order: float | None = None,
    ) -> Floats: ...
    def similarity(self, a: Any, b: Any, *, order: float | None = None) -> float | Floats:
        """The cosines of all texts of one side with all of the other, ``(len(a), len(b))``.

        A text without a known word is like none: 0. A single text has no axis: two have a float.

        :param a: texts, one text, or what `encode` made of them without ``normalize``
        :param order: how much the order of words counts, from 0, the parts that do not see it, to
            1, those that do; unless given, the cosine of all numbers
        """
        left, right, weights = self._sides(a, b, order)
        cosines = np.zeros((len(left), len(right)), np.float32)
        for rows in blocks(len(left), BLOCK_TEXTS):
            some = left.units(rows)
            for columns in blocks(len(right), BLOCK_TEXTS):
                for weight, one, other in zip(weights, some, right.units(columns), strict=True):
                    cosines[rows, columns] += np.float32(weight) * (one @ other.T)
        _log_unknown(left, right)
        if left.single and right.single:
            return float(cosines[0, 0])
        return cosines[0] if left.single else cosines[:, 0] if right.single else cosines

    @overload
    def similarity_pairwise(  # type: ignore[overload-overlap]
        self, a: str, b: str, *, order: float | None = None
    ) -> float: ...
    @overload
    def similarity_pairwise(
        self,
        a: Iterable[str] | Embeddings,
        b: Iterable[str] | Embeddings,
        *,
        order: float | None = None,
    ) -> Floats: ...
    def similarity_pairwise(self, a: Any, b: Any, *, order: float | None = None) -> float | Floats:
        """The cosine of each text with that in its place on the other side: of pairs.

        The parameters are those of `similarity`, whose diagonal this is.
        """
        left, right, weights = self._sides(a, b, order)
        if left.single != right.single:
            raise TypeError("similarity_pairwise takes two texts or two lists, not one of each")
        if len(left) != len(right):
            raise ConfigError(f"pairs are compared: {len(left)} texts and {len(right)}")
        cosines = np.zeros(len(left), np.float32)
        for rows in blocks(len(left), BLOCK_TEXTS):
            for weight, one, other in zip(
                weights, left.units(rows), right.units(rows), strict=True
            ):
                cosines[rows] += np.float32(weight) * np.einsum("ij,ij->i", one, other)
        _log_unknown(left, right)
        return float(cosines[0]) if left.single else cosines

    def _sides(
        self, a: Any, b: Any, order: float | None
    ) -> tuple[Texts | Vectors, Texts | Vectors, list[float]]:
        """Both sides, and what the cosine of each of their vectors counts."""
        if order is None:
            encoders, weights = [self.comparable()], [1.0]
        elif 0 <= order <= 1:
            halves = ((self.bag, 1 - order), (self.order, order))
            encoders = [half().comparable() for half, weight in halves if weight]
            weights = [weight for _, weight in halves if weight]
        else:
            raise ConfigError(f"order must be 0 to 1, not {order}")

        def side(values: Any) -> Texts | Vectors:
            embeddings = as_embeddings(values)
            if embeddings is None:
                return Texts(encoders, values)
            if order is not None:
                raise ConfigError("order weighs parts of texts: give texts, not embeddings")
            return Vectors(embeddings, *self._against_neutral())

        left, right = side(a), side(b)
        if left.width != right.width:
            raise ConfigError(
                f"embeddings of {left.width} numbers cannot be compared with those of "
                f"{right.width}: give both by the same encoder and dimensions"
            )
        return left, right, weights

    def _against_neutral(self) -> tuple[Floats, Floats]:
        """The embedding of no words, and what each number that deviates from it counts."""
        comparable = self.comparable()
        if comparable is self or comparable.projection is None:
            return np.zeros(self.dim, np.float32), np.ones(self.dim, np.float32)
        factors = [
            np.full(place.end - place.begin, place.factor, np.float32)
            for place in comparable.projection.placements
        ]
        return np.asarray(self.encode("")), np.concatenate(factors)


def _log_unknown(*sides: Texts | Vectors) -> None:
    unknown, texts = (
        sum(int(count) for count in counts)
        for counts in zip(*((np.sum(~side.known), len(side)) for side in sides), strict=True)
    )
    if unknown:
        logger.warning("%d of %d texts without a known word: their cosines are 0", unknown, texts)
