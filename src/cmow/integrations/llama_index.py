"""LlamaIndex: an embedding model for its indexes."""

from typing import Any

from cmow.encoder import SHIPPED, Encoder
from cmow.errors import MissingExtraError
from cmow.integrations.opening import Model, opened, vectors

try:
    from llama_index.core.base.embeddings.base import BaseEmbedding
    from pydantic import PrivateAttr
except ImportError as error:
    raise MissingExtraError("llama-index-core", "llama-index") from error

__all__ = ["CMOWEmbedding"]


class CMOWEmbedding(BaseEmbedding):
    """Unit vectors, whose products are the cosines of `Encoder.similarity`.

    :param model_name: a model folder or a name of the hub, by which it is stored; or an encoder.
    """

    _encoder: Encoder = PrivateAttr()

    def __init__(self, model_name: Model = SHIPPED, **settings: Any) -> None:
        encoder = opened(model_name)
        name = repr(encoder) if encoder is model_name else str(model_name)
        super().__init__(**{"model_name": name, "embed_batch_size": 2048, **settings})
        self._encoder = encoder.comparable()

    @classmethod
    def class_name(cls) -> str:
        """What it is called when it is stored."""
        return cls.__name__

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return vectors(self._encoder, texts)

    def _get_text_embedding(self, text: str) -> list[float]:
        return vectors(self._encoder, [text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)
