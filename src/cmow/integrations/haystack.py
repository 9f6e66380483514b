"""Haystack: components that embed documents and queries."""

from dataclasses import replace
from typing import Any

from cmow.encoder import SHIPPED, Encoder
from cmow.errors import MissingExtraError
from cmow.integrations.opening import path_of, vectors

try:
    from haystack import Document, component, default_from_dict, default_to_dict
except ImportError as error:
    raise MissingExtraError("haystack-ai", "haystack") from error

__all__ = ["CMOWDocumentEmbedder", "CMOWTextEmbedder"]


class _Embedder:
    """What both components have: a model by its path, so that pipelines can be stored.

    :param model: a model folder or a name of the hub.
    :param dimensions: the first numbers only.
    """

    def __init__(self, model: str = SHIPPED, dimensions: int | None = None) -> None:
        self.model = path_of(model)
        self.dimensions = dimensions
        self._encoder: Encoder | None = None

    def warm_up(self) -> None:
        """Open the model."""
        if self._encoder is None:
            self._encoder = Encoder.from_pretrained(self.model).comparable()

    def to_dict(self) -> dict[str, Any]:
        """What a stored pipeline says of it."""
        stored: dict[str, Any] = default_to_dict(self, model=self.model, dimensions=self.dimensions)
        return stored

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Any:
        """The inverse."""
        return default_from_dict(cls, data)

    def _vectors(self, texts: list[str]) -> list[list[float]]:
        self.warm_up()
        assert self._encoder is not None
        return vectors(self._encoder, texts, self.dimensions)


@component
class CMOWTextEmbedder(_Embedder):
    """Embeds a query."""

    @component.output_types(embedding=list[float])
    def run(self, text: str) -> dict[str, Any]:
        """The embedding of a text."""
        return {"embedding": self._vectors([text])[0]}


@component
class CMOWDocumentEmbedder(_Embedder):
    """Embeds documents by their content."""

    @component.output_types(documents=list[Document])
    def run(self, documents: list[Document]) -> dict[str, Any]:
        """The same documents with embeddings."""
        found = self._vectors([document.content or "" for document in documents])
        pairs = zip(documents, found, strict=True)
        return {"documents": [replace(document, embedding=vector) for document, vector in pairs]}
