"""Spans of documents: equal to encoding them, of every kind of part."""

import logging

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from some_words import WORDS

from cmow.encoder import Encoder, Placement, Projection
from cmow.errors import ConfigError

SHAPES = [
    "sum(9)",
    "product(5)",
    "reversed(4)",
    "windows(3)",
    "mean(sum(6))",
    "mean(product(4))",
    "mean(windows(5,decay=0.8))",
    "sum(7)+product(20)+mean(reversed(3))+windows(4)+mean(sum(5))",
]
TEXT = " ".join(np.random.default_rng(0).choice([*WORDS, "unheard"], 203))


def close(actual, expected):
    scale = np.abs(expected).max(axis=-1, keepdims=True) + 1e-30
    np.testing.assert_allclose(actual / scale, expected / scale, atol=1e-4)


def made(tokenizer, shape, sigma=0.2):
    return Encoder.initialize(tokenizer, shape, seed=3, sigma=sigma)


def projected(tokenizer):
    encoder = made(tokenizer, "mean(sum(6))+mean(product(3))+mean(windows(2))")
    vectors, product, windows = (part.name for part in encoder.parts)
    random = np.random.default_rng(1).normal(size=(13, 9)).astype(np.float32)
    places = (
        Placement(vectors, 0, 6, factor=0.5),
        Placement(product, 0, 9, random[:9]),
        Placement(windows, 0, 9, random[9:]),
    )
    bias = np.linspace(-1, 1, 9, dtype=np.float32)
    return Encoder(encoder.tokenizer, encoder.parts, projection=Projection(places, bias))


@pytest.fixture(params=[*SHAPES, "projected"])
def encoder(request, tokenizer):
    return projected(tokenizer) if request.param == "projected" else made(tokenizer, request.param)


def encoded(encoder, words, begins, ends, **options):
    texts = [" ".join(words[begin:end]) for begin, end in zip(begins, ends, strict=True)]
    return encoder.encode(texts, **options)


@pytest.mark.usefixtures("level")
def test_spans_are_what_encode_makes_of_them(encoder):
    words, document = TEXT.split(), encoder.document(TEXT)
    ends = np.random.default_rng(0).integers(0, 204, 200)
    begins = (np.random.default_rng(1).random(200) * (ends + 1)).astype(int)
    begins[:4], ends[:4] = (0, 0, 8, 200), (203, 0, 136, 203)
    spans = document.spans(begins, ends)
    close(spans, encoded(encoder, words, begins, ends))
    close(
        document.spans(begins, ends, normalize="all"),
        encoded(encoder, words, begins, ends, normalize="all"),
    )
    np.testing.assert_array_equal(document.span(3, 77), document.spans([3], [77])[0])
    np.testing.assert_array_equal(document.spans(begins, ends, threads=3), spans)


@pytest.mark.parametrize(("width", "stride"), [(1, 1), (2, 1), (32, 1), (7, 3), (5, 9), (500, 1)])
@pytest.mark.usefixtures("level")
def test_windows_are_what_encode_makes_of_them(encoder, width, stride):
    words, document = TEXT.split(), encoder.document(TEXT)
    begins, ends = document.window_places(width, stride)
    assert ends[-1] <= 203 < begins[-1] + stride + width or width > 203
    close(document.windows(width, stride), encoded(encoder, words, begins, ends))


def test_the_same_bits_on_any_number_of_threads(tokenizer):
    encoder = made(tokenizer, SHAPES[-1], sigma=0.02)
    document = encoder.document(" ".join([TEXT] * 20))
    one = document.windows(11, normalize="parts", threads=1)
    np.testing.assert_array_equal(document.windows(11, normalize="parts", threads=4), one)
    best = document.best_span(TEXT[100:160], 9, threads=1)
    assert document.best_span(TEXT[100:160], 9, threads=3) == best


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    lengths=st.lists(st.integers(0, 40), max_size=6),
    cut=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_a_document_may_come_piece_by_piece(lengths, cut, tokenizer):
    encoder = made(tokenizer, "sum(3)+product(2)+windows(2)")
    words, document, start = TEXT.split(), encoder.document(""), 0
    for length in lengths:
        document.append(words[start : start + length])
        start += length
    whole = encoder.document(" ".join(words[:start]))
    begin, end = sorted(round(share * len(whole)) for share in cut)
    assert len(document) == len(whole) == min(start, len(words))
    np.testing.assert_array_equal(document.span(begin, end), whole.span(begin, end))
    assert document.text.split() == whole.text.split()


@pytest.mark.parametrize("order", [None, 0, 0.3, 1])
def test_the_best_span_is_the_best_of_all(tokenizer, order):
    encoder = made(tokenizer, "sum(7)+product(4)+mean(windows(3))", sigma=0.3)
    words, document = TEXT.split()[:60], encoder.document(" ".join(TEXT.split()[:60]))
    query = " ".join(words[21:25][::-1])
    spans = [(i, j) for i in range(60) for j in range(i + 1, min(i + 6, 60) + 1)]
    texts = [" ".join(words[i:j]) for i, j in spans]
    known = [any(word in WORDS for word in text.split()) for text in texts]
    scores = encoder.similarity_pairwise([query] * len(texts), texts, order=order)
    scores = np.where(known, scores, -np.inf)
    best = document.best_span(query, 6, order=order)
    assert best.score == pytest.approx(scores.max(), abs=1e-5)
    assert scores[spans.index((best.begin, best.end))] == pytest.approx(scores.max(), abs=1e-5)
    assert best.text == " ".join(words[best.begin : best.end])
    document.append(query)
    again = document.best_span(query, 6, order=order)
    assert again.score == pytest.approx(1, abs=1e-5)
    assert document.text[slice(*again.place)] == again.text


def test_of_equal_spans_the_shortest_is_taken(hybrid):
    document = hybrid.document(f"unheard  {WORDS[0]} of\n{WORDS[1]} things {WORDS[0]} too")
    best = document.best_span(WORDS[0], 4)
    assert (best.begin, best.end, best.text) == (1, 2, WORDS[0])
    both = document.best_span(f"{WORDS[0]} {WORDS[1]}", 4, order=1)
    assert both.text == f"{WORDS[0]} of\n{WORDS[1]}"


def test_pieces_of_words(sub_words):
    encoder = made(sub_words, "sum(4)+product(3)")
    document = encoder.document("dogs bit man dogs")
    close(document.windows(2), encoder.encode(["dogs bit", "bit man", "man dogs"]))
    close(document.span(3, 4), encoder.encode(["dogs"])[0])


@pytest.mark.parametrize("kind", ["product(3)", "reversed(3)", "windows(3)"])
@pytest.mark.parametrize("sigma", [1e-3, 1e6])
@pytest.mark.usefixtures("level")
def test_long_documents_keep_their_direction(tokenizer, kind, sigma, caplog):
    encoder = Encoder.initialize(tokenizer, kind, "normal", seed=1, sigma=sigma)
    words = list(np.random.default_rng(2).choice(WORDS, 3000))
    document = encoder.document(words)
    begins, ends = np.array([0, 5, 1000]), np.array([3000, 2990, 1400])
    units = document.spans(begins, ends, normalize="all")
    expected = encoded(encoder, words, begins, ends, normalize="all")
    np.testing.assert_allclose(np.sum(units * expected, axis=1), 1, atol=1e-4)
    windows = document.windows(700, 100, normalize="all")
    places = document.window_places(700, 100)
    expected = encoded(encoder, words, *places, normalize="all")
    np.testing.assert_allclose(np.sum(windows * expected, axis=1), 1, atol=1e-4)
    with caplog.at_level(logging.WARNING):
        assert np.isfinite(document.spans(begins, ends)).all()
    assert ("cut to its largest number" in caplog.text) == (sigma > 1)


def test_a_document_without_words(hybrid):
    document = hybrid.document("")
    assert (len(document), document.text) == (0, "")
    assert document.windows(3).shape == (0, hybrid.dim)
    np.testing.assert_array_equal(document.span(0, 0), hybrid.encode([""])[0])
    for text in ("", "unheard of"):
        with pytest.raises(ConfigError, match="no word of the document is known"):
            hybrid.document(text).best_span(WORDS[0])


def test_what_cannot_be_is_refused_in_a_line(hybrid, tokenizer):
    document = hybrid.document(f"{WORDS[0]} {WORDS[1]}")
    for begin, end in [(-1, 1), (1, 0), (0, 3), (3, 3), (2**40, 2**41)]:
        with pytest.raises(ConfigError, match="there is no span"):
            document.span(begin, end)
    for width, stride in [(0, 1), (1, 0)]:
        with pytest.raises(ConfigError, match="at least 1"):
            document.windows(width, stride)
    with pytest.raises(ConfigError, match="no word of the query 'unheard' is known"):
        document.best_span("unheard")
    with pytest.raises(ConfigError, match="0 to 1"):
        document.best_span(WORDS[0], order=2)
    with pytest.raises(ConfigError, match="max_width"):
        document.best_span(WORDS[0], 0)
    with pytest.raises(ConfigError, match="projected into one space"):
        projected(tokenizer).document(WORDS[0]).span(0, 1, normalize="parts")
    with pytest.raises(ConfigError, match="sees the order"):
        made(tokenizer, "sum(3)").document(WORDS[0]).best_span(WORDS[0], order=1)
