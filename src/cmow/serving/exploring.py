"""Search, and what the page shows of texts and words."""

import numpy as np

from cmow.errors import ConfigError
from cmow.serving.refusal import Refusal
from cmow.serving.schemas import (
    CompareRequest,
    Comparison,
    Composed,
    Found,
    Near,
    Neighbours,
    NeighboursRequest,
    Passage,
    SearchAnswer,
    SearchRequest,
    Token,
)
from cmow.serving.service import Service, Tally, rows_and_columns


def search(service: Service, asked: SearchRequest, tally: Tally) -> SearchAnswer:
    """The texts of the index that are most like a query; none if no word of it is known."""
    if service.index is None:
        raise Refusal(404, "no index is served: start it with cmow serve MODEL --index INDEX")
    queries = [asked.query] if isinstance(asked.query, str) else asked.query
    service.check_count(len(queries), "query")
    tally.texts += len(queries)
    try:
        found = service.index.search(
            queries, asked.k, order=asked.order, spans=asked.spans, threads=service.threads
        )
    except ConfigError as error:
        raise Refusal(422, str(error)) from None
    return SearchAnswer(
        [
            [
                Found(
                    hit.row,
                    hit.score,
                    hit.text,
                    hit.metadata,
                    None if hit.span is None else Passage(*hit.span),
                )
                for hit in hits
            ]
            for hits in found
        ]
    )


def compare(service: Service, asked: CompareRequest, tally: Tally) -> Comparison:
    """How alike two texts are, and what becomes of each."""
    halves = {"all": service.encoder, "bag": service.bag, "order": service.order}
    cosines = {
        name: None if half is None else service.cosine(half, asked.a, asked.b)
        for name, half in halves.items()
    }
    tally.texts += 2
    return Comparison(
        **cosines,  # type: ignore[arg-type]
        parts={
            part.name: service.cosine(service.encoder.part(part.name), asked.a, asked.b)
            for part in service.encoder.parts
        },
        a=_composed(service, asked.a),
        b=_composed(service, asked.b),
    )


def neighbours(service: Service, asked: NeighboursRequest, _: Tally) -> Neighbours:
    """The words most like a word."""
    try:
        found = service.encoder.most_similar_words(asked.word, count=asked.count)
    except ConfigError as error:
        raise Refusal(404, str(error), param="word") from None
    return Neighbours([Near(*each) for each in found])


def _composed(service: Service, text: str) -> Composed:
    parts = {}
    for part in service.encoder.parts:
        shape = rows_and_columns(part)
        # What is the text's own: the identity would outshine it.
        view, empty = service.lone_parts[part.name].encode([text, ""], threads=1)
        parts[part.name] = (view - empty).reshape(shape[::-1]).T.ravel()
    return Composed(_tokens(service, text), parts)


def _tokens(service: Service, text: str) -> list[Token]:
    """The words of a text, with their rows in the first part that multiplies matrices."""
    encoder = service.encoder
    matrices = next((part for part in encoder.parts if not part.monoid.commutes), None)
    tokens = []
    for token in encoder.tokenizer.split([text])[0]:
        number, row = encoder.vocabulary.get(token), None
        if number is not None and matrices is not None:
            (own,) = matrices.deviations(np.array([number], np.int32))
            size = round(len(own) ** 0.5)
            row = own.reshape(size, size).T.ravel() if size**2 == len(own) else own
        tokens.append(Token(token, number is not None, row))
    return tokens
