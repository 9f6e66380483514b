"""Smooth inverse frequency: weights and components, against the formulas in plain NumPy."""

import numpy as np
import pytest
from some_words import WORDS

from cmow.encoder import Encoder, Part, load
from cmow.errors import ConfigError
from cmow.text import Tokenizer, Vocabulary

DRAWN = np.random.default_rng(0)
TEXTS = [" ".join(DRAWN.choice(WORDS, DRAWN.integers(1, 9))) for _ in range(40)]
SHAPE = "sum(7)+product(3)+reversed(2)+windows(2)+mean(sum(4))+mean(product(3))"
COUNTS = np.arange(len(WORDS), 0, -1)
SMOOTHING = 0.05
STEPS = {
    "weights": lambda encoder: encoder.weighted_by_frequency(SMOOTHING),
    "components": lambda encoder: encoder.without_components(TEXTS, 2),
    "both": lambda encoder: encoder.weighted_by_frequency(SMOOTHING).without_components(TEXTS),
}


@pytest.fixture
def encoder(tokenizer):
    return Encoder.initialize(tokenizer, SHAPE, seed=3, sigma=0.3)


@pytest.fixture(params=STEPS)
def step(request):
    return STEPS[request.param]


def vectors(part, texts, weights=1.0):
    """A sum's embeddings by the formula: one of each word, times what it counts."""
    rows = part.rows().astype(np.float64) * np.broadcast_to(weights, len(WORDS))[:, None]
    numbers = [[WORDS.index(word) for word in text.split()] for text in texts]
    sums = np.array([rows[some].sum(axis=0) for some in numbers])
    return sums / np.array([[len(some)] for some in numbers]) if part.shape.mean else sums


def test_frequent_words_count_less(encoder):
    weights = SMOOTHING / (SMOOTHING + COUNTS / COUNTS.sum())
    weighted = encoder.weighted_by_frequency(SMOOTHING)
    assert weighted.shape == encoder.shape
    for before, after in zip(encoder.parts, weighted.parts, strict=True):
        size = before.monoid.size
        identity = before.monoid.kind in ("product", "reversed")  # changes nothing
        start = np.eye(size).ravel() if identity else 0
        expected = start + weights[:, None] * (before.rows() - start)
        np.testing.assert_allclose(after.rows(), expected, atol=1e-6)
    for place in (0, 4):
        name = encoder.parts[place].name
        expected = vectors(encoder.parts[place], TEXTS, weights)
        np.testing.assert_allclose(weighted.part(name).encode(TEXTS), expected, atol=1e-5)


def test_a_run_counts_the_product_of_what_its_words_count(encoder):
    weights = SMOOTHING / (SMOOTHING + COUNTS / COUNTS.sum())
    (part,) = (part for part in encoder.parts if part.monoid.kind == "windows")
    one, other = (part.rows()[word].astype(float).reshape(2, 2).T for word in (2, 4))
    run = weights[2] * weights[4] * part.monoid.decay * (one @ other)
    expected = weights[2] * one + weights[4] * other + run
    weighted = encoder.weighted_by_frequency(SMOOTHING).part(part.name)
    found = weighted.encode(f"{WORDS[2]} {WORDS[4]}")
    np.testing.assert_allclose(found, expected.T.ravel(), atol=1e-5)


def test_the_first_components_are_gone(encoder):
    stripped = encoder.without_components(TEXTS, 2)
    for place in (0, 4):
        part = encoder.parts[place]
        lengths = 1 if part.shape.mean else np.array([[len(text.split())] for text in TEXTS])
        _, _, directions = np.linalg.svd(vectors(part, TEXTS) / lengths)
        first = directions[:2]
        sums = vectors(part, TEXTS)
        found = stripped.part(part.name).encode(TEXTS)
        np.testing.assert_allclose(found, sums - sums @ first.T @ first, atol=1e-5)
        assert np.abs(found @ first.T).max() < 1e-5 < np.abs(sums @ first.T).max()
    for place in (1, 2, 3, 5):
        np.testing.assert_array_equal(stripped.parts[place].rows(), encoder.parts[place].rows())


def test_texts_are_still_put_together_from_pieces(encoder, step):
    reworked = step(encoder)
    left, right = reworked.encode_elements(["the dog bit", "a very good man"])
    whole = reworked.encode("the dog bit a very good man")
    np.testing.assert_allclose(reworked.view(reworked.compose(left, right)), whole, atol=1e-5)
    assert reworked.similarity("the dog", "unheard") == 0


def test_a_folder_keeps_it_and_tells(encoder, step, tmp_path):
    reworked = step(encoder)
    reworked.save(tmp_path / "model")
    opened = load(tmp_path / "model", verify=True)
    np.testing.assert_array_equal(opened.encode(TEXTS), reworked.encode(TEXTS))
    assert opened.training == reworked.training != encoder.training


def test_nothing_is_rounded_to_the_storage_that_was(encoder, step, tmp_path):
    encoder.save(tmp_path / "model", storage="int8")
    small = load(tmp_path / "model")
    exact = step(Encoder(small.tokenizer, [in_full(part) for part in small.parts]))
    np.testing.assert_array_equal(step(small).encode(TEXTS), exact.encode(TEXTS))


def in_full(part):
    return Part(part.name, part.shape, part.rows())


def test_a_cache_of_other_rows_is_dropped(encoder, step):
    cached = encoder.with_ngram_cache(TEXTS * 2)
    np.testing.assert_array_equal(step(cached).encode(TEXTS), step(encoder).encode(TEXTS))


def test_without_counts_no_word_is_frequent(encoder):
    uncounted = Encoder(Tokenizer.whitespace(Vocabulary(WORDS)), encoder.parts)
    with pytest.raises(ConfigError, match=r"no counts.*Vocabulary\(words, counts\)"):
        uncounted.weighted_by_frequency()
    uncounted.without_components(TEXTS)


@pytest.mark.parametrize("smoothing", [0, -1, float("nan"), float("inf")])
def test_smoothing_is_a_positive_number(encoder, smoothing):
    with pytest.raises(ConfigError, match="smoothing must be a positive number"):
        encoder.weighted_by_frequency(smoothing)


def test_texts_have_so_many_components(encoder):
    for components in (0, 3):
        with pytest.raises(ConfigError, match=f"components must be 1 to 2, .* not {components}"):
            encoder.without_components(["the dog", "a cat"], components)
    for none in ([], ["", "unheard"]):
        with pytest.raises(ConfigError, match="no text has a known word"):
            encoder.without_components(none)
    with pytest.raises(TypeError, match="not a single str"):
        encoder.without_components("the dog")


def test_matrices_do_not_add_up(encoder):
    with pytest.raises(ConfigError, match="no part adds its rows"):
        encoder.order().without_components(TEXTS)


def test_a_projection_is_of_rows_as_they_are(encoder, step):
    with pytest.raises(ConfigError, match=r"before comparable\(\)"):
        step(encoder.comparable())
