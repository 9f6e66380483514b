"""Cosines: of all with all or pair by pair, of texts or embeddings, and of what a text adds."""

import numpy as np
import pytest
from some_words import WORDS

from cmow.encoder import Encoder, comparing
from cmow.errors import ConfigError

DRAWN = np.random.default_rng(0)
TEXTS = [" ".join(DRAWN.choice([*WORDS, "unheard"], DRAWN.integers(1, 9))) for _ in range(23)]
SHAPES = [
    "sum(7)",
    "product(4)",
    "sum(7)+product(5)",
    "windows(3)+sum(4)",
    "mean(sum(4))+mean(product(3))",
]


@pytest.fixture(params=SHAPES)
def encoder(request, tokenizer):
    return Encoder.initialize(tokenizer, request.param, seed=3, sigma=0.2)


def expected(encoder, a, b):
    """By the definition, in NumPy's double precision."""

    def units(texts):
        views = []
        for part in encoder.parts:
            alone = Encoder(encoder.tokenizer, [part])
            added = alone.encode(texts).astype(np.float64) - alone.encode([""])
            views.append(added * (1 if part.monoid.commutes else 0.5))
        whole = np.hstack(views)
        return whole / np.maximum(np.linalg.norm(whole, axis=1, keepdims=True), 1e-12)

    return units(a) @ units(b).T


def test_all_are_compared_with_all(encoder, monkeypatch):
    monkeypatch.setattr(comparing, "BLOCK_TEXTS", 5)
    a, b = TEXTS[:12], TEXTS[12:]
    cosines = encoder.similarity(a, b)
    assert cosines.dtype == np.float32
    np.testing.assert_allclose(cosines, expected(encoder, a, b), atol=2e-5)
    np.testing.assert_allclose(
        encoder.similarity_pairwise(a[:11], b), np.diag(cosines[:11]), atol=1e-6
    )


def test_pairs_are_never_compared_all_with_all(hybrid):
    many = TEXTS * 8_000  # whose matrix would take 135 GB
    cosines = hybrid.similarity_pairwise(many, many[::-1])
    np.testing.assert_allclose(cosines[:23], hybrid.similarity_pairwise(TEXTS, TEXTS[::-1]))


def test_embeddings_are_as_good_as_texts(encoder):
    a, b = TEXTS[:9], TEXTS[9:]
    cosines = encoder.similarity(a, b)
    one, other = encoder.encode(a), encoder.encode(b)
    np.testing.assert_allclose(encoder.similarity(one, other), cosines, atol=2e-5)
    np.testing.assert_allclose(encoder.similarity(one, b), cosines, atol=2e-5)
    np.testing.assert_allclose(encoder.similarity(list(one), other), cosines, atol=2e-5)
    np.testing.assert_allclose(encoder.similarity(one[0], other), cosines[0], atol=2e-5)
    units = [encoder.comparable().encode(texts, normalize="all") for texts in (a, b)]
    np.testing.assert_allclose(units[0] @ units[1].T, cosines, atol=2e-5)


def test_a_single_text_has_no_axis(hybrid):
    one, other = hybrid.similarity(TEXTS[0], TEXTS[1]), hybrid.similarity(TEXTS[0], TEXTS[:5])
    assert isinstance(one, float)
    assert isinstance(hybrid.similarity_pairwise(TEXTS[0], TEXTS[1]), float)
    assert other.shape == (5,)
    assert other[1] == pytest.approx(one, abs=1e-6)
    assert hybrid.similarity(TEXTS[:5], TEXTS[0]).shape == (5,)
    assert hybrid.similarity([], TEXTS).shape == (0, 23)
    assert hybrid.similarity_pairwise([], []).shape == (0,)


def test_what_is_unknown_is_like_nothing(encoder, caplog):
    texts = [WORDS[0], "", "unheard of"]
    cosines = encoder.similarity(texts, texts)
    np.testing.assert_array_equal(cosines != 0, [[True, False, False], [False] * 3, [False] * 3])
    assert [record.getMessage() for record in caplog.records] == [
        "4 of 6 texts without a known word: their cosines are 0"
    ]
    np.testing.assert_allclose(encoder.similarity(encoder.encode(texts), texts), cosines, atol=1e-5)


def test_texts_of_any_length_are_compared(tokenizer, caplog):
    encoder = Encoder.initialize(tokenizer, "sum(3)+product(3)", seed=1, sigma=2.0)
    long = " ".join(DRAWN.choice(WORDS, 20_000))
    longer = f"{long} {WORDS[0]}"
    # Nothing of a sum or an identity is left beside such a product.
    one, other = encoder.part("cmow").encode([long, longer], normalize="all")
    assert encoder.similarity(long, longer) == pytest.approx(one @ other, abs=1e-5)
    assert encoder.similarity(long, long) == pytest.approx(1, abs=1e-5)
    assert not caplog.records


def test_order_weighs_the_halves(hybrid):
    a, b = TEXTS[:9], TEXTS[9:]
    bag, order = hybrid.part("cbow").similarity(a, b), hybrid.part("cmow").similarity(a, b)
    np.testing.assert_allclose(
        hybrid.similarity(a, b, order=0.3), 0.7 * bag + 0.3 * order, atol=1e-5
    )
    np.testing.assert_allclose(hybrid.similarity(a, b, order=1), order, atol=1e-6)


def test_wrong_sides_are_refused(hybrid):
    embeddings = hybrid.encode(TEXTS)
    with pytest.raises(TypeError, match="one of each"):
        hybrid.similarity_pairwise("a", ["a"])
    with pytest.raises(ConfigError, match="2 texts and 1"):
        hybrid.similarity_pairwise(["a", "b"], ["a"])
    with pytest.raises(TypeError, match="text 1 is of type int"):
        hybrid.similarity("a", ["a", 3])
    with pytest.raises(ConfigError, match="32 numbers, not \\(23, 33\\)"):
        hybrid.similarity(np.zeros((23, 33), np.float32), TEXTS)
    with pytest.raises(ConfigError, match="of 5 numbers cannot be compared with those of 32"):
        hybrid.similarity(hybrid.encode(TEXTS, dimensions=5), TEXTS)
    with pytest.raises(ConfigError, match="not finite"):
        hybrid.similarity(embeddings * np.float32("nan"), TEXTS)
    with pytest.raises(ConfigError, match="give texts"):
        hybrid.similarity(embeddings, TEXTS, order=0.5)
    with pytest.raises(ConfigError, match="without normalize"):
        hybrid.similarity(hybrid.encode(TEXTS, normalize="all"), TEXTS)
    assert hybrid.part("cbow").similarity(
        hybrid.part("cbow").encode(TEXTS, normalize="all"), TEXTS
    ).shape == (23, 23)
