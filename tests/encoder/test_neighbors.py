import numpy as np
import pytest

from cmow.encoder import Encoder, Part, PartShape
from cmow.errors import ConfigError, UnknownWordError
from cmow.text import Tokenizer, Vocabulary

WORDS = ["dog", "puppy", "cat", "stone", "same"]


@pytest.fixture
def encoder():
    deviations = np.array([[1, 0], [2, 0.2], [1, 1], [-1, 0], [0, 0]], np.float32)
    matrices = np.eye(2, dtype=np.float32).ravel() + np.hstack([deviations, np.zeros((5, 2))])
    parts = [
        Part("cbow", PartShape.parse("sum(2)"), deviations),
        Part("cmow", PartShape.parse("product(2)"), matrices.astype(np.float32)),
    ]
    return Encoder(Tokenizer.whitespace(Vocabulary(WORDS), lowercase=True), parts)


def test_words_are_compared_by_their_deviation_from_the_neutral_element(encoder):
    found = encoder.most_similar_words("dog")
    assert [neighbour.word for neighbour in found] == ["puppy", "cat", "same", "stone"]
    assert found[0].similarity == pytest.approx(2 / np.hypot(2, 0.2))
    assert found[-1].similarity == pytest.approx(-1)


def test_the_number_of_neighbours(encoder):
    assert len(encoder.most_similar_words("dog", count=2)) == 2
    assert encoder.most_similar_words("dog", count=0) == []
    with pytest.raises(ConfigError, match="-1"):
        encoder.most_similar_words("dog", count=-1)


def test_words_are_looked_up_as_texts_are(encoder):
    assert encoder.most_similar_words("Dog") == encoder.most_similar_words("dog")


@pytest.mark.parametrize("error", [UnknownWordError, KeyError, ConfigError])
def test_an_unknown_word_brings_suggestions(encoder, error):
    with pytest.raises(error) as caught:
        encoder.most_similar_words("Pupy")
    assert str(caught.value) == "'Pupy' is not in the vocabulary: did you mean puppy?"


def test_unknown_and_like_nothing(encoder):
    for word in ["", "qqq", "dog cat"]:
        with pytest.raises(UnknownWordError, match="is not in the vocabulary"):
            encoder.most_similar_words(word)


def test_word_vectors(encoder):
    words, table = encoder.word_vectors("cmow")
    assert words == WORDS
    np.testing.assert_array_equal(table, encoder.parts[1].table)
