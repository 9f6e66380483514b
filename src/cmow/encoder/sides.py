"""What is compared with something else: texts or embeddings, as unit vectors, block by block."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Booleans, Floats
from cmow.encoder.base import EncoderBase
from cmow.encoder.inputs import listed
from cmow.errors import ConfigError

UNIT = 1e-3  # how far a norm may be from 1 where embeddings were normalized


class Texts:
    """Texts as the unit vectors of some encoders that split texts alike."""

    def __init__(self, encoders: Sequence[EncoderBase], texts: str | Iterable[str]) -> None:
        self.single = isinstance(texts, str)
        self._encoders = encoders
        self._texts = [texts] if isinstance(texts, str) else listed(texts)
        self.width = encoders[0].dim
        self.known: Booleans = np.ones(len(self._texts), bool)

    def __len__(self) -> int:
        return len(self._texts)

    def units(self, rows: slice) -> list[Floats]:
        """The vectors of some texts, an array for each encoder; zero without a known word."""
        ids = self._encoders[0].tokenizer.ids(self._texts[rows])
        self.known[rows] = np.diff(ids.offsets) > 0
        return [
            np.asarray(encoder.encode_ids(ids, normalize="all"), np.float32)
            for encoder in self._encoders
        ]


class Vectors:
    """Embeddings that an encoder has made, all or the first of their numbers.

    :param neutral: the embedding of no words
    :param weights: what each number counts
    """

    def __init__(self, embeddings: NDArray[Any], neutral: Floats, weights: Floats) -> None:
        self.single = embeddings.ndim == 1
        self._embeddings = np.atleast_2d(embeddings)
        self.width = self._embeddings.shape[-1]
        if self._embeddings.ndim != 2 or not 1 <= self.width <= len(neutral):
            raise ConfigError(
                f"embeddings of this encoder have {len(neutral)} numbers, not {embeddings.shape}"
            )
        self._neutral, self._weights = neutral[: self.width], weights[: self.width]
        self.known: Booleans = np.ones(len(self._embeddings), bool)

    def __len__(self) -> int:
        return len(self._embeddings)

    def units(self, rows: slice) -> list[Floats]:
        """Some vectors, in a list of one."""
        embeddings = self._embeddings[rows].astype(np.float64)
        if self._neutral.any():
            norms = np.linalg.norm(embeddings, axis=1)
            if len(norms) and (np.abs(norms - 1) < UNIT).all():
                raise ConfigError(
                    "normalized embeddings do not tell how far a product is from the identity: "
                    "give them as encode makes them without normalize, or those of comparable()"
                )
        added = (embeddings - self._neutral) * self._weights
        norms = np.linalg.norm(added, axis=1, keepdims=True)
        if not np.isfinite(norms).all():
            raise ConfigError("embeddings hold numbers that are not finite, such as NaN")
        self.known[rows] = norms[:, 0] > 0
        return [(added / np.where(norms > 0, norms, 1)).astype(np.float32)]


def as_embeddings(values: Any) -> NDArray[Any] | None:
    """Numbers as an array, if it is numbers and not texts."""
    if isinstance(values, list | tuple) and values and hasattr(values[0], "__array__"):
        return as_embeddings(np.stack(values))
    if not hasattr(values, "__array__"):
        return None
    array = np.asarray(values)
    return array if array.dtype.kind == "f" else None


def blocks(count: int, size: int) -> Iterator[slice]:
    """The places of some rows at a time."""
    return (slice(start, min(start + size, count)) for start in range(0, count, size))
