"""How alike texts are."""

from collections.abc import Sequence
from typing import overload

import numpy as np

from cmow.arrays import Floats
from cmow.encoder.base import EncoderBase
from cmow.encoder.inputs import BLOCK_TEXTS
from cmow.errors import ConfigError


class Comparing(EncoderBase):
    """The methods that compare texts."""

    @overload
    def similarity(  # type: ignore[overload-overlap]
        self, a: str, b: str, *, order: float | None = None
    ) -> float: ...
    @overload
    def similarity(
        self, a: Sequence[str], b: Sequence[str], *, order: float | None = None
    ) -> Floats: ...
    def similarity(
        self, a: str | Sequence[str], b: str | Sequence[str], *, order: float | None = None
    ) -> float | Floats:
        """The cosine of two texts, or those of two lists pair by pair.

        :param order: how much the order of words counts, from 0, the parts that do not see it, to
            1, those that do; unless given, the cosine of all numbers
        """
        if order is not None and not 0 <= order <= 1:
            raise ConfigError(f"order must be 0 to 1, not {order}")
        if isinstance(a, str) and isinstance(b, str):
            return float(self._ordered_cosines([a], [b], order)[0])
        if isinstance(a, str) or isinstance(b, str):
            raise TypeError("similarity takes two texts or two lists, not one of each")
        if len(a) != len(b):
            raise ConfigError(f"similarity compares pairs: {len(a)} texts and {len(b)}")
        blocks = (slice(start, start + BLOCK_TEXTS) for start in range(0, len(a), BLOCK_TEXTS))
        cosines = [self._ordered_cosines(a[block], b[block], order) for block in blocks]
        return np.concatenate([np.zeros(0, np.float32), *cosines])

    def _ordered_cosines(self, a: Sequence[str], b: Sequence[str], order: float | None) -> Floats:
        if order is None:
            return _cosines(self, a, b)
        weighted = np.zeros(len(a), np.float32)
        if order < 1:
            weighted += np.float32(1 - order) * _cosines(self.bag(), a, b)
        if order > 0:
            weighted += np.float32(order) * _cosines(self.order(), a, b)
        return weighted


def _cosines(encoder: EncoderBase, a: Sequence[str], b: Sequence[str]) -> Floats:
    # Normalised before they are multiplied: else the numbers of long texts would overflow.
    left, right = encoder.encode(a, normalize="all"), encoder.encode(b, normalize="all")
    cosines: Floats = np.einsum("ij,ij->i", left, right)
    return cosines
