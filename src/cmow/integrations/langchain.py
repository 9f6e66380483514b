"""LangChain: embeddings for its vector stores."""

from cmow.encoder import SHIPPED
from cmow.errors import MissingExtraError
from cmow.integrations.opening import Model, opened, vectors

try:
    from langchain_core.embeddings import Embeddings
except ImportError as error:
    raise MissingExtraError("langchain-core", "langchain") from error

__all__ = ["CMOWEmbeddings"]


class CMOWEmbeddings(Embeddings):
    """Unit vectors, whose products are the cosines of `Encoder.similarity`.

    :param model: an encoder, a model folder or a name of the hub.
    :param dimensions: the first numbers only.
    """

    def __init__(self, model: Model = SHIPPED, *, dimensions: int | None = None) -> None:
        self.encoder = opened(model).comparable()
        self.dimensions = dimensions

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """The vectors of documents."""
        return vectors(self.encoder, texts, self.dimensions)

    def embed_query(self, text: str) -> list[float]:
        """The vector of a query, which is that of a document with the same words."""
        return self.embed_documents([text])[0]
