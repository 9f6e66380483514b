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
    def similarity(self, a: str, b: str) -> float: ...  # type: ignore[overload-overlap]
    @overload
    def similarity(self, a: Sequence[str], b: Sequence[str]) -> Floats: ...
    def similarity(self, a: str | Sequence[str], b: str | Sequence[str]) -> float | Floats:
        """The cosine of two texts, or those of two lists pair by pair."""
        if isinstance(a, str) and isinstance(b, str):
            return float(self._cosines([a], [b])[0])
        if isinstance(a, str) or isinstance(b, str):
            raise TypeError("similarity takes two texts or two lists, not one of each")
        if len(a) != len(b):
            raise ConfigError(f"similarity compares pairs: {len(a)} texts and {len(b)}")
        blocks = (slice(start, start + BLOCK_TEXTS) for start in range(0, len(a), BLOCK_TEXTS))
        cosines = [self._cosines(a[block], b[block]) for block in blocks]
        return np.concatenate([np.zeros(0, np.float32), *cosines])

    def _cosines(self, a: Sequence[str], b: Sequence[str]) -> Floats:
        # Normalised before they are multiplied: else the numbers of long texts would overflow.
        left, right = self.encode(a, normalize="all"), self.encode(b, normalize="all")
        cosines: Floats = np.einsum("ij,ij->i", left, right)
        return cosines
