import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cmow.encoder import Encoder
from cmow.encoder.storage import convert
from cmow.encoder.union import unite_tokenizers
from cmow.errors import ConfigError
from cmow.text import Tokenizer, Vocabulary


def encoder(words, shape, seed=0, storage="float32", **options):
    tokenizer = Tokenizer.whitespace(
        Vocabulary(words.split(), range(len(words.split()))), **options
    )
    initial = Encoder.initialize(tokenizer, shape, seed=seed, sigma=0.1)
    return Encoder(tokenizer, [convert(part, storage) for part in initial.parts])


@pytest.mark.parametrize("storage", ["float32", "float16", "int8", "int4"])
@settings(deadline=None, max_examples=30)
@given(texts=st.lists(st.lists(st.sampled_from("abcdefg")).map(" ".join), max_size=5))
def test_embeddings_stand_side_by_side_over_the_union_of_the_vocabularies(storage, texts):
    first = encoder("a b c d", "sum(3)+product(2)", storage=storage)
    second = encoder("f d b", "product(3)", seed=1)
    both = Encoder.concatenate(first, second)
    expected = np.hstack([first.encode(texts), second.encode(texts)])
    np.testing.assert_allclose(both.encode(texts), expected, atol=1e-6)
    assert sorted(both.vocabulary.words) == list("abcdf")


def test_names_become_unique_and_counts_the_larger_ones():
    both = Encoder.concatenate(encoder("a b", "sum(2)"), encoder("c d a", "sum(2)"))
    assert [part.name for part in both.parts] == ["cbow", "cbow-2"]
    assert dict(zip(both.vocabulary.words, both.vocabulary.counts, strict=True)) == {
        "a": 2,
        "b": 1,
        "c": 0,
        "d": 1,
    }


@pytest.mark.parametrize(
    ("first", "second", "larger"),
    [
        ({"a": 5, "b": 2}, {"b": 3, "c": 4}, {"a": 5, "b": 3, "c": 4}),
        ({"a": 5, "b": 3}, {"b": 2, "c": 0}, {"a": 5, "b": 3, "c": 0}),
        ({"a": 5, "b": 3}, {"b": 7, "a": 1}, {"a": 5, "b": 7}),  # no word is new
        ({"a": 5, "b": 3}, {"b": 3}, {"a": 5, "b": 3}),
    ],
)
def test_a_word_has_the_larger_of_its_counts(first, second, larger):
    tokenizers = [
        Tokenizer.whitespace(Vocabulary(tuple(counts), list(counts.values())))
        for counts in (first, second)
    ]
    union = unite_tokenizers(tokenizers).vocabulary
    assert dict(zip(union.words, union.counts.tolist(), strict=True)) == larger


def test_the_same_vocabulary_is_not_copied():
    one, other = encoder("a b", "sum(2)"), encoder("a b", "product(2)")
    both = Encoder.concatenate(one, other)
    assert np.shares_memory(both.parts[1].table, other.parts[0].table)


def test_different_splitting_is_refused():
    with pytest.raises(ConfigError, match="lower-cased"):
        Encoder.concatenate(encoder("a", "sum(2)"), encoder("a", "sum(2)", lowercase=True))
    words = Encoder.initialize(Tokenizer.words(Vocabulary(["a"]), lowercase=False), "sum(2)")
    with pytest.raises(ConfigError, match=r"whitespace .* and words"):
        Encoder.concatenate(encoder("a", "sum(2)"), words)
    with pytest.raises(ConfigError, match="nothing"):
        Encoder.concatenate()


def test_custom_tokenizers_must_be_the_same(sub_words, tmp_path):
    encoders = [Encoder.initialize(sub_words, shape) for shape in ("sum(2)", "product(2)")]
    both = Encoder.concatenate(*encoders)
    np.testing.assert_array_equal(
        both.encode(["dogs"]), np.hstack([encoder.encode(["dogs"]) for encoder in encoders])
    )
    sub_words.save(tmp_path / "tokenizer.json")
    text = (tmp_path / "tokenizer.json").read_text()
    (tmp_path / "tokenizer.json").write_text(text.replace("##", "@@"))
    other = Encoder.initialize(Tokenizer.from_file(tmp_path / "tokenizer.json"), "sum(2)")
    with pytest.raises(ConfigError, match="custom tokenizers"):
        Encoder.concatenate(encoders[0], other)
