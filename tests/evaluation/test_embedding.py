from collections import Counter

import numpy as np
import pytest
from senteval import BagOfWords

from cmow.errors import ConfigError
from cmow.evaluation import embedding
from cmow.evaluation.embedding import Embedder

TASKS = [["a", "b", "a"], ["b", "c"], ["d"], ["b", "d"]]


def run(encoder, tasks):
    """The embeddings that each task gets, and the number of texts told of."""
    embedder = Embedder(encoder, Counter(text for texts in tasks for text in set(texts)))
    told, results = [], []
    for texts in tasks:
        embedder.begin(texts, told.append)
        results.append(embedder.embed(texts))
        embedder.end(texts)
    return results, sum(told), embedder


def test_each_text_is_encoded_once():
    encoder = BagOfWords()
    results, told, embedder = run(encoder, TASKS)
    assert sorted(encoder.asked) == ["a", "b", "c", "d"]
    assert told == 4
    for texts, vectors in zip(TASKS, results, strict=True):
        np.testing.assert_array_equal(vectors, BagOfWords().encode(texts))
        assert vectors.dtype == np.float32
    assert not embedder._kept


def test_batches(monkeypatch):
    monkeypatch.setattr(embedding, "BATCH", 2)
    sizes = []

    def encode(texts):
        sizes.append(len(texts))
        return BagOfWords().encode(texts)

    results, told, _ = run(encode, [["a", "b", "c", "d", "e"]])
    assert sizes == [2, 2, 1]
    assert told == 5
    np.testing.assert_array_equal(results[0], BagOfWords().encode(["a", "b", "c", "d", "e"]))


@pytest.mark.parametrize(
    ("encode", "message"),
    [
        (lambda texts: np.full((len(texts), 3), np.nan), "no finite embedding of 'a'"),
        (lambda texts: [[1e300]] * len(texts), "no finite embedding of 'a'"),
        (lambda texts: np.zeros((len(texts) + 1, 3)), r"an array of \(3, 3\) for 2 texts"),
        (lambda texts: np.zeros(len(texts)), r"an array of \(2,\) for 2 texts"),
    ],
)
def test_what_is_no_embedding(encode, message):
    with pytest.raises(ConfigError, match=message):
        run(encode, [["a", "b"]])


def test_what_is_no_encoder():
    with pytest.raises(ConfigError, match="int has no encode"):
        Embedder(3, Counter())
