"""The model that comes with the package."""

import numpy as np
import pytest

import cmow
from cmow.encoder.encoder import SHIPPED_FOLDER

LARGEST = 20_000_000  # bytes


@pytest.fixture(scope="module")
def english():
    return cmow.load()


def test_it_is_small_and_as_it_was_saved():
    assert sum(file.stat().st_size for file in SHIPPED_FOLDER.iterdir()) <= LARGEST
    cmow.load(verify=True)


def test_its_name_means_a_folder_if_there_is_one(english, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert cmow.load("english").dim == english.dim
    english.part("windows").save("english")
    assert [part.name for part in cmow.load("english").parts] == ["windows"]


def test_cosines_make_sense(english):
    near = english.similarity_pairwise(
        ["a wonderful film", "How old are you?"], ["a great movie", "What is your age?"]
    )
    far = english.similarity_pairwise(
        ["a wonderful film", "dogs"], ["quarterly tax returns", "the stock market"]
    )
    assert near.min() > 0.6
    assert far.max() < 0.25
    assert english.similarity("a wonderful film", "") == 0


def test_it_knows_the_order_of_words(english):
    one, other = "the dog bit the man", "the man bit the dog"
    assert english.similarity(one, other, order=0) == pytest.approx(1, abs=1e-4)
    assert english.similarity(one, other) < 0.99
    assert english.similarity(one, other, order=1) < 0.95


def test_long_texts_stay_close_to_what_they_are_about(english):
    sentences = [
        "The dog chased the cat through the garden.",
        "A puppy barked at the kitten near the fence.",
        "Then both animals slept in the sun.",
    ]
    document = " ".join(sentences * 40)
    about, other = english.similarity_pairwise(
        [document, document], ["dogs and cats in a garden", "interest rates of central banks"]
    )
    assert about > other + 0.3


def test_its_first_numbers_are_an_embedding(english):
    texts = ["a wonderful film", "a great movie", "quarterly tax returns"]
    short = english.encode(texts, dimensions=64, normalize="all")
    assert short.shape == (3, 64)
    cosines = short @ short.T
    assert cosines[0, 1] > 0.6 > 0.3 > cosines[0, 2]
    np.testing.assert_allclose(np.linalg.norm(short, axis=1), 1, atol=1e-5)
