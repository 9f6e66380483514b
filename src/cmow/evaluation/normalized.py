"""Embeddings divided by their norm."""

from typing import Any

import numpy as np

from cmow.choices import Normalization
from cmow.errors import ConfigError


class Normalized:
    """An encoder whose embeddings are divided by their norm.

    :param normalize: "all", or "parts" for each part of an embedding by its own norm, which takes
        an encoder of ours
    """

    def __init__(self, encoder: Any, normalize: Normalization) -> None:
        self._ours = hasattr(encoder, "parts") and hasattr(encoder, "vocabulary")
        if self._ours:
            self.parts, self.vocabulary = encoder.parts, encoder.vocabulary
        elif normalize == "parts":
            raise ConfigError(f"a {type(encoder).__name__} has no parts to normalize: choose all")
        self._encoder, self._normalize = encoder, normalize

    def encode(self, texts: list[str]) -> Any:
        """Normalized embeddings."""
        if self._ours:
            return self._encoder.encode(texts, normalize=self._normalize)
        rows = np.asarray(getattr(self._encoder, "encode", self._encoder)(texts))
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(norms > 0, norms, 1)
