"""OpenAI's endpoints."""

from base64 import b64encode

from cmow.serving.refusal import Refusal
from cmow.serving.schemas import Embedding, Embeddings, EmbeddingsRequest, Model, Models, Usage
from cmow.serving.service import Service, Tally


def embeddings(service: Service, asked: EmbeddingsRequest, tally: Tally) -> Embeddings:
    """The embeddings of texts, of length 1."""
    if asked.model is not None and asked.model != service.name:
        raise Refusal(
            404, f"there is no model {asked.model!r}: this is {service.name!r}", param="model"
        )
    rows = service.embed(asked.input, tally, field="input", dimensions=asked.dimensions)
    written = map(_base64, rows) if asked.encoding_format == "base64" else rows
    data = [Embedding(row, index) for index, row in enumerate(written)]
    return Embeddings(data, service.name, Usage(tally.tokens, tally.tokens))


def models(service: Service, _: None, __: Tally) -> Models:
    """The model that is served."""
    return Models([Model(service.name, service.started)])


def model(service: Service, name: str, _: Tally) -> Model:
    """The model that is served, if that is its name."""
    if name != service.name:
        raise Refusal(404, f"there is no model {name!r}: this is {service.name!r}", param="model")
    return Model(service.name, service.started)


def _base64(row: object) -> str:
    return b64encode(row).decode("ascii")  # type: ignore[arg-type]
