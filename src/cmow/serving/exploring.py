"""Search, and what the page shows of texts and words."""

from collections.abc import Sequence

import numpy as np

from cmow.errors import ConfigError
from cmow.search import Hit
from cmow.serving.refusal import Refusal
from cmow.serving.schemas import (
    CompareRequest,
    Comparison,
    Composed,
    Found,
    Near,
    Neighbors,
    NeighborsRequest,
    Passage,
    SearchAnswer,
    SearchRequest,
    Token,
)
from cmow.serving.service import Service, Tally
from cmow.serving.shapes import rows_and_columns

AT_ONCE = 240  # queries, for which an index is read once
HITS = 10  # for each text that a request may have, so that answers stay short


def search(service: Service, asked: SearchRequest, tally: Tally) -> SearchAnswer:
    """The texts that are most like a query, best first; none if no word of it is known."""
    queries = [asked.query] if isinstance(asked.query, str) else asked.query
    _check_size(service, queries, asked)
    if asked.texts is None and service.index is None:
        raise Refusal(404, "no index is served: start it with cmow serve MODEL --index INDEX")
    search_some = _search_index if asked.texts is None else _search_texts
    at_once = AT_ONCE if asked.texts is None and asked.spans is None else 1
    results: list[list[Found]] = []
    try:
        for first in range(0, len(queries), at_once):
            if tally.over:
                break
            results += search_some(service, queries[first : first + at_once], asked, tally)
    except ConfigError as error:
        raise Refusal(422, str(error)) from None
    return SearchAnswer(results)


def _check_size(service: Service, queries: Sequence[str], asked: SearchRequest) -> None:
    service.check_count(len(queries) + len(asked.texts or ()), "query")
    wanted, most = len(queries) * asked.k, HITS * service.settings.max_texts
    if len(queries) > 1 and wanted > most:
        raise Refusal(
            413,
            f"{len(queries)} queries for {asked.k} texts each may find {wanted}, and {most} are "
            f"allowed: send several requests",
            param="query",
        )


def _search_index(
    service: Service, queries: Sequence[str], asked: SearchRequest, tally: Tally
) -> list[list[Found]]:
    assert service.index is not None
    tally.texts += len(queries)
    found = service.index.search(
        queries, asked.k, order=asked.order, spans=asked.spans, threads=service.threads
    )
    return [[_found(hit) for hit in hits] for hits in found]


def _found(hit: Hit) -> Found:
    span = None if hit.span is None else Passage(*hit.span)
    return Found(hit.row, hit.score, hit.text, hit.metadata, span)


def _search_texts(
    service: Service, queries: Sequence[str], asked: SearchRequest, tally: Tally
) -> list[list[Found]]:
    """The same among texts that come with the queries."""
    return [_search_text(service, query, asked, tally) for query in queries]


def _search_text(service: Service, query: str, asked: SearchRequest, tally: Tally) -> list[Found]:
    texts, encoder = asked.texts or [], service.encoder
    known = np.diff(encoder.tokenizer.ids([query, *texts], threads=1).offsets) > 0
    if not known[0]:
        return []
    cosines = np.where(known[1:], service.cosines(query, texts, asked.order, tally), -np.inf)
    rows = np.argsort(-cosines, kind="stable")[: asked.k]
    found = [Found(int(row), float(cosines[row]), texts[row], {}) for row in rows if known[1 + row]]
    if asked.spans is not None:
        for each in found:
            document = encoder.document(each.text)
            best = document.best_span(query, asked.spans, order=asked.order, threads=1)
            each.span = Passage(*best)
    return found


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


def neighbors(service: Service, asked: NeighborsRequest, _: Tally) -> Neighbors:
    """The words most like a word."""
    try:
        found = service.encoder.most_similar_words(asked.word, count=asked.count)
    except ConfigError as error:
        raise Refusal(404, str(error), param="word") from None
    return Neighbors([Near(*each) for each in found])


def _composed(service: Service, text: str) -> Composed:
    parts = {}
    for part in service.encoder.parts:
        shape = rows_and_columns(part)
        # What is the text's own: the identity would outshine it.
        view, empty = service.lone_parts[part.name].encode([text, ""], threads=1)
        parts[part.name] = (view - empty).reshape(shape[::-1]).T.ravel()
    return Composed(_tokens(service, text), parts)


def _tokens(service: Service, text: str) -> list[Token]:
    """The words of a text, each with its own matrix in the first part that multiplies."""
    encoder, words = service.encoder, text.split()
    known = (np.diff(encoder.tokenizer.ids(words, threads=1).offsets) > 0).tolist()
    matrices = next((part for part in encoder.parts if not part.monoid.commutes), None)
    if matrices is None:
        return [Token(word, is_known, None) for word, is_known in zip(words, known, strict=True)]
    rows, columns = rows_and_columns(matrices)
    *views, empty = service.lone_parts[matrices.name].encode([*words, ""], threads=1)
    own = [(view - empty).reshape(columns, rows).T.ravel() for view in views]
    return [Token(*each) for each in zip(words, known, own, strict=True)]
