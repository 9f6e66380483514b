from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from some_words import WORDS

from cmow.encoder import Encoder, Part, PartShape
from cmow.encoder.inputs import ragged
from cmow.encoder.ngrams import choose_from_counts, choose_from_texts, spell
from cmow.errors import ConfigError

texts_of_ids = st.lists(st.lists(st.integers(0, 3), max_size=12), max_size=12)
few_words = st.lists(st.sampled_from(WORDS[:4])).map(" ".join)


def spelled(nodes, words):
    flat, offsets = spell(nodes, words=words)
    return [tuple(flat[a:b].tolist()) for a, b in pairwise(offsets)]


def multiplications(texts, ngrams):
    """Products of a greedy reading, one for each n-gram or word but the first."""
    total = 0
    for text in texts:
        position = 0
        while position < len(text):
            length = 1
            while (
                position + length < len(text)
                and tuple(text[position : position + length + 1]) in ngrams
            ):
                length += 1
            position += length
            total += 1
    return total


@settings(
    deadline=None, max_examples=50, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(sample=st.lists(few_words, max_size=10), texts=st.lists(few_words, max_size=6))
def test_a_cache_changes_nothing_but_rounding(hybrid, sample, texts):
    cached = hybrid.with_ngram_cache(sample, megabytes=0.001)
    for normalize in (None, "parts"):
        np.testing.assert_allclose(
            cached.encode(texts, normalize=normalize),
            hybrid.encode(texts, normalize=normalize),
            rtol=1e-4,
            atol=1e-5,
        )


@pytest.mark.usefixtures("level")
def test_caches_serve_both_ways_of_reading(tokenizer):
    encoder = Encoder.initialize(tokenizer, "reversed(5)+product(4)+mean(reversed(3))", sigma=0.1)
    cached = encoder.with_ngram_cache(["the dog bit the man"] * 2)
    texts = ["the dog", "the dog bit the man", "man the dog bit", "", "dog bit the the dog bit"]
    np.testing.assert_allclose(cached.encode(texts), encoder.encode(texts), rtol=1e-4, atol=1e-5)


def test_windows_are_composed_without_a_cache(tokenizer):
    windows = Encoder.initialize(tokenizer, "windows(4)")
    with pytest.raises(ConfigError, match="this encoder has none"):
        windows.with_ngram_cache(["the dog bit the man"] * 2)
    both = Encoder.initialize(tokenizer, "windows(4)+product(3)", sigma=0.1)
    cached = both.with_ngram_cache(["the dog bit the man"] * 2)
    texts = ["the dog bit", "the dog bit the man"]
    np.testing.assert_allclose(cached.encode(texts), both.encode(texts), rtol=1e-4, atol=1e-5)


@pytest.mark.usefixtures("level")
def test_cached_embeddings_do_not_depend_on_their_batch(hybrid):
    cached = hybrid.with_ngram_cache(["the dog bit the man"] * 2)
    texts = ["the dog", "the dog bit the man", "man the dog bit", "", "dog bit the the dog bit"]
    together = cached.encode(texts, threads=2)
    for text, embedding in zip(texts, together, strict=True):
        np.testing.assert_array_equal(cached.encode([text], threads=1)[0], embedding)


@settings(deadline=None)
@given(texts=texts_of_ids, most=st.integers(0, 8))
def test_chosen_ngrams_occur_twice_and_come_with_their_prefixes(texts, most):
    chosen = spelled(choose_from_texts(*ragged(texts), words=4, most=most), 4)
    assert len(chosen) == len(set(chosen)) <= most
    occurrences = Counter(
        tuple(text[start:end])
        for text in texts
        for start in range(len(text))
        for end in range(start + 2, len(text) + 1)
    )
    for place, ngram in enumerate(chosen):
        assert 2 <= len(ngram) <= 5
        assert occurrences[ngram] > 1
        assert len(ngram) == 2 or ngram[:-1] in chosen[:place]


def test_the_choice_beats_the_most_frequent_bigrams():
    generator = np.random.default_rng(0)
    phrases = [generator.integers(0, 200, generator.integers(2, 6)).tolist() for _ in range(60)]
    weights = 1 / np.arange(1, 61)
    texts = [
        [word for i in generator.choice(60, 6, p=weights / weights.sum()) for word in phrases[i]]
        for _ in range(400)
    ]
    chosen = set(spelled(choose_from_texts(*ragged(texts), words=200, most=60), 200))
    bigrams = Counter(pair for text in texts for pair in pairwise(text))
    frequent = {pair for pair, _ in bigrams.most_common(60)}
    assert multiplications(texts, chosen) < 0.8 * multiplications(texts, frequent)


def test_choice_by_counts():
    counts = {(0, 1): 5, (0, 1, 2): 4, (3, 3, 3): 9, (2, 1): 1, (1,): 100}
    assert spelled(choose_from_counts(counts, words=4, most=4), 4) == [
        (3, 3),
        (3, 3, 3),
        (0, 1),
        (0, 1, 2),
    ]


def test_counts_may_name_ngrams_by_text_or_by_words(hybrid):
    by_text = hybrid.with_ngram_cache({"the dog": 2, "the unknown": 5, "a": 9})
    by_words = hybrid.with_ngram_cache({("the", "dog"): 2})
    np.testing.assert_array_equal(by_text._ngrams.nodes, [[0, 2]])
    np.testing.assert_array_equal(by_words._ngrams.nodes, [[0, 2]])
    product = hybrid.part("cmow").encode(["the dog"])
    np.testing.assert_array_equal(by_text._ngrams.tables["cmow"], product)


def test_the_budget_is_kept_and_shared_by_all_products(tokenizer):
    encoder = Encoder.initialize(tokenizer, "product(4)+sum(2)+product(3)", sigma=0.1)
    texts = [" ".join(np.random.default_rng(n).choice(WORDS, 8)) for n in range(500)]
    cached = encoder.with_ngram_cache(texts, megabytes=0.01)
    used = sum(table.nbytes for table in cached._ngrams.tables.values())
    assert 9_000 < used <= 10_000


def test_a_part_keeps_its_cache(hybrid):
    cached = hybrid.with_ngram_cache({"the dog": 2})
    assert cached.part("cmow")._ngrams is cached._ngrams
    np.testing.assert_array_equal(
        cached.part("cbow").encode(["a dog"]), hybrid.part("cbow").encode(["a dog"])
    )


@pytest.mark.usefixtures("level")
def test_extreme_magnitudes_are_rescaled_with_a_cache_too(tokenizer):
    table = np.tile(np.array([[2.0**25, 0, 0, 2.0**25]], np.float32), (len(WORDS), 1))
    encoder = Encoder(tokenizer, [Part("cmow", PartShape.parse("product(2)"), table)])
    cached = encoder.with_ngram_cache({"the dog": 1})
    text = " ".join(["the dog"] * 2000)
    np.testing.assert_allclose(
        cached.encode([text], normalize="all")[0], np.eye(2).ravel() / np.sqrt(2), rtol=1e-6
    )
    with pytest.raises(ConfigError, match="too large or small"):
        encoder.with_ngram_cache({"the dog the dog": 1})


def test_what_cannot_be_cached_is_refused(hybrid):
    with pytest.raises(ConfigError, match="product parts"):
        hybrid.part("cbow").with_ngram_cache(["the dog"])
    with pytest.raises(ConfigError, match="-1"):
        hybrid.with_ngram_cache(["the dog"], megabytes=-1)
    with pytest.raises(TypeError, match=r"\[text\]"):
        hybrid.with_ngram_cache("the dog")
