"""What requests and answers look like; checks and the OpenAPI description follow from it.

Requests are read by msgspec. Answers are dataclasses, whose arrays orjson writes as they are.
"""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

Texts = str | list[str | int | list[int]]  # a text, texts, the ids of a text, or of texts
Order = Annotated[
    float, Meta(ge=0, le=1, description="How much word order counts, from 0, not at all, to 1.")
]
Dimensions = Annotated[int, Meta(ge=1, description="Only the first numbers of each embedding.")]
Count = Annotated[int, Meta(ge=1, le=1000)]


# ---- OpenAI -------------------------------------------------------------------------------------


class EmbeddingsRequest(Struct):
    """Texts to be embedded; embeddings have the length 1."""

    input: Texts
    model: str | None = None
    encoding_format: Literal["float", "base64"] = "float"
    dimensions: Dimensions | None = None
    user: str | None = None


@dataclass(slots=True)
class Embedding:
    """The embedding of a text: numbers, or float32 in base64."""

    embedding: list[float] | str
    index: int
    object: Literal["embedding"] = "embedding"


@dataclass(slots=True)
class Usage:
    """How many tokens were embedded."""

    prompt_tokens: int
    total_tokens: int


@dataclass(slots=True)
class Embeddings:
    """The embeddings of texts, in their order."""

    data: list[Embedding]
    model: str
    usage: Usage
    object: Literal["list"] = "list"


@dataclass(slots=True)
class Model:
    """A model that is served."""

    id: str
    created: int
    object: Literal["model"] = "model"
    owned_by: str = "cmow"


@dataclass(slots=True)
class Models:
    """All models that are served."""

    data: list[Model]
    object: Literal["list"] = "list"


# ---- text-embeddings-inference ------------------------------------------------------------------


class EmbedRequest(Struct):
    """Texts to be embedded."""

    inputs: Texts
    normalize: bool = True
    dimensions: Dimensions | None = None
    truncate: bool | None = None
    prompt_name: None = None  # there are none


class SimilarityInput(Struct):
    """A text, and those that it is compared with."""

    source_sentence: str
    sentences: Annotated[list[str], Meta(min_length=1)]


class SimilarityParameters(Struct):
    """How to compare."""

    order: Order | None = None
    truncate: bool | None = None
    prompt_name: None = None  # there are none


class SimilarityRequest(Struct):
    """Texts to be compared."""

    inputs: SimilarityInput
    parameters: SimilarityParameters | None = None


@dataclass(slots=True)
class Info:
    """What is served, and how much it takes."""

    model_id: str
    model_dtype: str
    model_type: dict[str, dict[str, str]]
    dimensions: int
    vocabulary_size: int
    parts: list["PartInfo"]
    texts_in_index: int | None
    max_client_batch_size: int
    max_input_length: int
    max_batch_tokens: int
    max_concurrent_requests: int
    version: str


@dataclass(slots=True)
class PartInfo:
    """A part of the encoder.

    :param rows: and columns of what it shows
    """

    name: str
    composition: str
    rows: int
    columns: int
    sees_order: bool


# ---- search, and what the page needs ------------------------------------------------------------


class SearchRequest(Struct):
    """A query of an index, or several; or of texts, if they are given."""

    query: str | Annotated[list[str], Meta(min_length=1)]
    k: Count = 10
    order: Order | None = None
    spans: Annotated[int, Meta(ge=1, le=256, description="Longest passage, in words.")] | None = (
        None
    )
    texts: Annotated[list[str], Meta(min_length=1)] | None = None


@dataclass(slots=True)
class Passage:
    """Words from one to before another, and their characters in the text."""

    begin: int
    end: int
    score: float
    text: str
    place: tuple[int, int]


@dataclass(slots=True)
class Found:
    """A text of the index."""

    row: int
    score: float
    text: str
    metadata: dict[str, Any]
    span: Passage | None = None


@dataclass(slots=True)
class SearchAnswer:
    """The texts most like each query, best first."""

    results: list[list[Found]]


class CompareRequest(Struct):
    """Two texts."""

    a: str
    b: str


@dataclass(slots=True)
class Token:
    """A word as white space separates it, and its matrix, by rows, less the identity.

    :param known: whether any piece of it is in the vocabulary
    :param row: of the first part that sees word order, if there is one
    """

    text: str
    known: bool
    row: list[float] | None


@dataclass(slots=True)
class Composed:
    """What a text becomes: the numbers that each part shows, by rows."""

    tokens: list[Token]
    parts: dict[str, list[float]]


@dataclass(slots=True)
class Comparison:
    """How alike two texts are.

    :param all: the cosine of the embeddings
    :param bag: that of the parts that do not see word order
    :param order: that of the parts that do
    :param parts: those of each part
    """

    all: float
    bag: float | None
    order: float | None
    parts: dict[str, float]
    a: Composed
    b: Composed


class NeighborsRequest(Struct):
    """A word of the vocabulary."""

    word: str
    count: Count = 10


@dataclass(slots=True)
class Near:
    """A word and how alike the other it is."""

    word: str
    similarity: float


@dataclass(slots=True)
class Neighbors:
    """The most similar words, best first."""

    neighbors: list[Near]


# ---- errors -------------------------------------------------------------------------------------


class OpenAIErrorContent(Struct):
    """What is wrong."""

    message: str
    type: str
    param: str | None
    code: str | None


class OpenAIError(Struct):
    """An error of the endpoints below /v1."""

    error: OpenAIErrorContent


class Error(Struct):
    """An error of all other endpoints."""

    error: str
    error_type: str
