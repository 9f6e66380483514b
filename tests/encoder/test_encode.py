import copy
import logging
import pickle
import threading
from itertools import count, islice

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy_reference import reference
from some_words import WORDS

from cmow.encoder import Encoder, Part, PartShape, inputs
from cmow.errors import ConfigError, FormatError
from cmow.text import Tokenizer, Vocabulary

texts_of_words = st.lists(st.sampled_from([*WORDS, "unknown", "Ünbekannt", "\u2003"])).map(" ".join)
without_fixture_check = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def ids_of(text):
    return [WORDS.index(word) for word in text.split() if word in WORDS]


@without_fixture_check
@given(texts=st.lists(texts_of_words, max_size=8))
def test_texts_are_encoded_as_the_reference_does(hybrid, texts):
    expected = reference(hybrid.parts, map(ids_of, texts)).reshape(-1, hybrid.dim)
    embeddings = hybrid.encode(texts)
    assert embeddings.dtype == np.float32
    np.testing.assert_allclose(embeddings, expected, rtol=1e-4, atol=1e-4)


@without_fixture_check
@given(text=st.text())
def test_any_text_at_all_is_encoded(hybrid, text):
    assert np.isfinite(hybrid.encode([text])).all()


@without_fixture_check
@given(a=texts_of_words, b=texts_of_words)
def test_embeddings_compose_as_texts_do(hybrid, a, b):
    composed = hybrid.compose(*hybrid.encode([a, b]))
    np.testing.assert_allclose(composed, hybrid.encode([f"{a} {b}"])[0], rtol=1e-3, atol=1e-3)


def test_order_counts_in_products_only(hybrid):
    text = "the dog bit the man"
    backwards = " ".join(reversed(text.split()))
    cbow, cmow = hybrid.part("cbow"), hybrid.part("cmow")
    np.testing.assert_allclose(cbow.encode([text]), cbow.encode([backwards]), atol=1e-6)
    assert np.abs(cmow.encode([text]) - cmow.encode([backwards])).max() > 0.05


def test_parts_stand_side_by_side(hybrid):
    texts = ["the dog", "not very good"]
    parts = [hybrid.part(name).encode(texts) for name in ("cbow", "cmow")]
    np.testing.assert_array_equal(hybrid.encode(texts), np.hstack(parts))


def test_what_are_no_elements_is_refused_with_the_width_expected(hybrid):
    elements = hybrid.encode_elements(["a b", "b"])
    message = rf"elements of \S+ have {hybrid.element_dim} numbers, as encode_elements gives them"
    for wrong in (elements[:, :-1], elements[0, :3], np.float32(1), [[1.0, 2.0]]):
        with pytest.raises(ConfigError, match=message):
            hybrid.compose(elements, wrong)
    (_, product) = hybrid.parts
    with pytest.raises(ConfigError, match=r"elements of product\(5\) have 25 numbers, .* not 24"):
        product.shape.compose(np.zeros(24), np.zeros(24))
    with pytest.raises(ConfigError, match=r"\(2,\) elements cannot be followed by \(3,\)"):
        hybrid.compose(elements, elements[[0, 0, 0]])
    np.testing.assert_allclose(
        hybrid.compose(elements.tolist(), elements[0].tolist()),
        hybrid.compose(elements, elements[0]),
        atol=1e-6,
    )


def test_nothing_known_is_the_neutral_element(hybrid):
    neutral = np.concatenate([np.zeros(7), np.eye(5).ravel()])
    for embedding in hybrid.encode(["", "   ", "unknown words only"]):
        np.testing.assert_array_equal(embedding, neutral)
    normalised = hybrid.encode([""], normalize="parts")[0]
    np.testing.assert_allclose(normalised, neutral / np.where(neutral, np.sqrt(5), 1), rtol=1e-6)


def test_no_texts(hybrid):
    assert hybrid.encode([]).shape == (0, hybrid.dim)
    assert hybrid.encode_ids([]).shape == (0, hybrid.dim)
    assert hybrid.encode_ids(np.zeros(0, np.int32), [0]).shape == (0, hybrid.dim)
    assert list(hybrid.encode_stream([])) == []


def test_blocks_are_invisible(hybrid, monkeypatch):
    texts = [" ".join(WORDS[: n % 7]) for n in range(50)]
    expected = hybrid.encode(texts)
    monkeypatch.setattr(inputs, "BLOCK_TEXTS", 8)
    np.testing.assert_array_equal(hybrid.encode(texts), expected)
    monkeypatch.setattr(inputs, "BLOCK_CHARACTERS", 20)
    np.testing.assert_array_equal(hybrid.encode(texts), expected)
    np.testing.assert_array_equal(hybrid.encode(np.array(texts)), expected)
    np.testing.assert_array_equal(hybrid.encode(tuple(texts)), expected)


def test_half_precision_saturates(tokenizer, caplog):
    part = Part("cbow", PartShape.parse("sum(2)"), np.full((len(WORDS), 2), -40_000, np.float32))
    encoder = Encoder(tokenizer, [part])
    embeddings = encoder.encode(["the dog", "a"], dtype=np.float16)
    assert embeddings.dtype == np.float16
    np.testing.assert_array_equal(embeddings, np.array([[-65504] * 2, [-40_000] * 2], np.float16))
    assert "1 embeddings are beyond float16" in caplog.text
    np.testing.assert_array_equal(encoder.encode_ids([[0, 2], [1]], dtype="float16"), embeddings)


def test_beyond_float32_saturates_with_a_warning_and_normalised_does_not(tokenizer, caplog):
    table = np.tile(np.array([[8, 1, 0, 8]], np.float32), (len(WORDS), 1))
    part = Part("cmow", PartShape.parse("product(2)"), table)
    encoder = Encoder(tokenizer, [part])
    long = " ".join(["dog"] * 100_000)
    with caplog.at_level(logging.WARNING):
        normalised = encoder.encode([long], normalize="all")
        assert not caplog.records
        assert np.isfinite(encoder.encode([long])).all()
    assert len(caplog.records) == 1
    assert np.linalg.norm(normalised) == pytest.approx(1, abs=1e-6)


def test_streams_are_lazy_and_may_be_endless(hybrid):
    taken = []

    def endless():
        for number in count():
            taken.append(number)
            yield WORDS[number % len(WORDS)]

    first, second = islice(hybrid.encode_stream(endless(), block=5), 2)
    assert len(taken) == 10
    np.testing.assert_array_equal(np.vstack([first, second]), hybrid.encode(WORDS[:10]))


def test_stream_blocks_have_the_wanted_size(hybrid):
    blocks = hybrid.encode_stream(iter(WORDS), block=5, normalize="all", dtype=np.float16)
    assert [block.shape for block in blocks] == [(5, 32), (5, 32), (2, 32)]


def test_ids_may_come_in_any_form(hybrid):
    texts = ["the dog", "", "not very good"]
    expected = hybrid.encode(texts)
    lists = [ids_of(text) for text in texts]
    flat = np.array([i for ids in lists for i in ids])
    for ids, offsets in [
        (lists, None),
        ([np.array(ids) for ids in lists], None),
        (hybrid.tokenizer.ids(texts), None),
        (flat, [0, 2, 2, 5]),
        (flat.astype(np.uint16), np.array([0, 2, 2, 5], np.int32)),
        (np.concatenate([[9, 9], flat, [9]]), [2, 4, 4, 7]),
    ]:
        np.testing.assert_array_equal(hybrid.encode_ids(ids, offsets), expected)


@pytest.mark.parametrize(
    ("ids", "offsets", "error"),
    [
        ([[0, 12]], None, IndexError),
        ([[-1]], None, IndexError),
        (np.array([2**32]), [0, 1], IndexError),
        ([[0.5]], None, TypeError),
        (["dog"], None, TypeError),
        (np.array([0, 1]), [0, 3], ConfigError),
        (np.array([0, 1]), [1, 0, 2], ConfigError),
        (np.array([0, 1]), [], ConfigError),
        (np.array([0, 1]), [-1, 1], ConfigError),
    ],
)
def test_wrong_ids_are_refused(hybrid, ids, offsets, error):
    with pytest.raises(error):
        hybrid.encode_ids(ids, offsets)


def test_a_single_text_is_refused_where_many_belong(hybrid):
    for method in (hybrid.encode_stream, hybrid.coverage):
        with pytest.raises(TypeError, match=r"\[text\]"):
            method("the dog")
    with pytest.raises(TypeError, match="decode them first"):
        hybrid.encode(b"the dog")


@pytest.mark.parametrize("wrong", [None, 3, b"dog", ["dog"]])
def test_a_wrong_item_is_named(hybrid, wrong, monkeypatch):
    monkeypatch.setattr(inputs, "BLOCK_TEXTS", 2)
    texts = ["the"] * 5 + [wrong]
    with pytest.raises(TypeError, match="text 5 "):
        hybrid.encode(texts)
    with pytest.raises(TypeError, match="text 5 "):
        list(hybrid.encode_stream(texts, block=2))


@pytest.mark.parametrize(
    "options", [{"normalize": "both"}, {"threads": 0}, {"dtype": np.float64}, {"normalize": True}]
)
def test_wrong_options_are_refused_even_without_texts(hybrid, options):
    value = str(np.dtype(options["dtype"]) if "dtype" in options else next(iter(options.values())))
    for method in (hybrid.encode, hybrid.encode_stream, hybrid.encode_ids):
        with pytest.raises(ConfigError, match=value):
            method([], **options)


def test_many_threads_may_encode_at_once(hybrid):
    texts = [" ".join(WORDS[n % 5 : n % 11]) for n in range(500)]
    expected = hybrid.encode(texts)
    results = [None] * 8

    def work(number):
        results[number] = hybrid.encode(texts, threads=2)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        np.testing.assert_array_equal(result, expected)


@pytest.mark.parametrize(
    "copied", [lambda e: pickle.loads(pickle.dumps(e)), copy.deepcopy, copy.copy]
)
def test_copies_encode_alike(hybrid, copied):
    cached = hybrid.with_ngram_cache({"the dog": 3})
    texts = ["the dog bit", ""]
    for encoder in (hybrid, cached):
        np.testing.assert_array_equal(copied(encoder).encode(texts), encoder.encode(texts))


def test_sub_words_are_encoded_like_words(sub_words):
    encoder = Encoder.initialize(sub_words, "product(3)")
    pieces = [sub_words.vocabulary.index(piece) for piece in ("dog", "##s", "bit")]
    np.testing.assert_array_equal(encoder.encode(["dogs bit"]), encoder.encode_ids([pieces]))
    assert encoder.coverage(["dogs bit"]).share == 1


def test_coverage(hybrid):
    coverage = hybrid.coverage(iter(["the dog barks", "", "unknown"]))
    assert coverage == (4, 2, 0.5)
    assert hybrid.coverage([]).share == 1


def test_parts_must_fit_the_vocabulary_and_differ_in_name(tokenizer):
    part = Part("cbow", PartShape.parse("sum(2)"), np.zeros((len(WORDS), 2), np.float32))
    with pytest.raises(ConfigError, match="different names"):
        Encoder(tokenizer, [part, part])
    with pytest.raises(ConfigError, match="different names"):
        Encoder(tokenizer, [])
    with pytest.raises(ConfigError, match="12 rows for 1 words"):
        Encoder(Tokenizer.whitespace(Vocabulary(["dog"])), [part])
    with pytest.raises(ConfigError, match="no part 'cmow': this encoder has cbow"):
        Encoder(tokenizer, [part]).part("cmow")


@pytest.mark.parametrize(
    ("value", "fault"), [(np.nan, "row 3"), (-np.inf, "row 3"), (1e30, "diverged")]
)
def test_tables_that_diverged_are_refused(tokenizer, value, fault):
    table = np.zeros((len(WORDS), 4), np.float32)
    table[3, 1] = value
    for composition, size in [("sum", 4), ("product", 2)]:
        with pytest.raises(FormatError, match=fault):
            Encoder(tokenizer, [Part("x", PartShape.parse(f"{composition}({size})"), table)])


def test_wrong_tables_are_refused():
    floats = np.zeros((3, 4), np.float32)
    for arguments in [
        ("product(3)", floats),
        ("sum(4)", floats.astype(np.float64)),
        ("sum(4)", floats.astype(np.int8)),
        ("sum(4)", floats, np.zeros(3, np.float32)),
        ("sum(4)", floats.astype(np.int8), np.zeros(2, np.float32)),
        ("sum(12)", floats.ravel()),
    ]:
        shape, *tables = arguments
        with pytest.raises(ConfigError, match="part 'x'"):
            Part("x", PartShape.parse(shape), *tables)


def test_the_shape_is_told(hybrid):
    assert repr(hybrid) == "Encoder(sum(7)+product(5), 12 words)"
    assert hybrid.dim == 32
    assert [part.name for part in hybrid.parts] == ["cbow", "cmow"]
