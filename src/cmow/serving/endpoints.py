"""All endpoints: what they take and give, for routing, metrics and the OpenAPI description."""

from collections.abc import Callable
from typing import Any, NamedTuple

from cmow.serving import exploring, openai, schemas, tei
from cmow.serving.refusal import Refusal, openai_error, tei_error


class Endpoint(NamedTuple):
    """An endpoint whose answer is JSON.

    :param answer: gets the service, what the request says, and a tally to be filled
    :param takes: the type of the request's content; a path's parameter is handed over as it is
    :param gives: the type of the answer
    :param invalid: status of requests whose content is not as it should be
    :param error: what a refusal looks like
    :param long: whether it may take long, so that it must not hold up others
    :param open: whether it needs no key
    """

    method: str
    path: str
    answer: Callable[..., Any]
    gives: Any
    summary: str
    takes: type | None = None
    invalid: int = 422
    error: Callable[[Refusal], dict[str, object]] = tei_error
    error_type: type = schemas.Error
    long: bool = False
    open: bool = False


OPENAI: dict[str, Any] = {
    "invalid": 400,
    "error": openai_error,
    "error_type": schemas.OpenAIError,
}
VECTORS, NUMBERS = list[list[float]], list[float]

ENDPOINTS = (
    Endpoint(
        *("POST", "/v1/embeddings", openai.embeddings, schemas.Embeddings, "Embed texts (OpenAI)"),
        takes=schemas.EmbeddingsRequest,
        **OPENAI,
    ),
    Endpoint("GET", "/v1/models", openai.models, schemas.Models, "List models (OpenAI)", **OPENAI),
    Endpoint(
        *("GET", "/v1/models/{name}", openai.model, schemas.Model, "Show a model (OpenAI)"),
        **OPENAI,
    ),
    Endpoint("POST", "/embed", tei.embed, VECTORS, "Embed texts (TEI)", takes=schemas.EmbedRequest),
    Endpoint(
        *("POST", "/similarity", tei.similarity, NUMBERS, "Compare a text with others (TEI)"),
        takes=schemas.SimilarityRequest,
    ),
    Endpoint("GET", "/info", tei.info, schemas.Info, "What is served (TEI)"),
    Endpoint("GET", "/health", tei.health, None, "Whether it is up (TEI)", open=True),
    Endpoint(
        *("POST", "/search", exploring.search, schemas.SearchAnswer, "Search the index"),
        takes=schemas.SearchRequest,
        long=True,
    ),
    Endpoint(
        *("POST", "/compare", exploring.compare, schemas.Comparison, "Compare two texts closely"),
        takes=schemas.CompareRequest,
    ),
    Endpoint(
        *("POST", "/neighbors", exploring.neighbors, schemas.Neighbors, "List similar words"),
        takes=schemas.NeighborsRequest,
        long=True,
    ),
)
