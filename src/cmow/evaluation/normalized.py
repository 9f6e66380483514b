"""Embeddings divided by their norm."""

from typing import Any

from cmow.choices import Normalization


class Normalized:
    """An encoder whose embeddings are divided by their norm.

    :param normalize: "all", or "parts" for each part of an embedding by its own norm
    """

    def __init__(self, encoder: Any, normalize: Normalization) -> None:
        self.parts, self.vocabulary = encoder.parts, encoder.vocabulary
        self._encoder, self._normalize = encoder, normalize

    def encode(self, texts: list[str]) -> Any:
        """Normalized embeddings."""
        return self._encoder.encode(texts, normalize=self._normalize)
