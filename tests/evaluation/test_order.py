import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from senteval import BagOfWords, write

from cmow.errors import ConfigError
from cmow.evaluation import TASKS, DataFolder, evaluate
from cmow.evaluation.reordering import (
    exchange_arguments,
    reverse,
    swap_neighbors,
    transitive_sentences,
)

ORDER = ["Swap", "Reverse", "Arguments"]


class FirstWord:
    """Knows the first and the last word, each in half of its embedding."""

    def encode(self, texts):
        bag = BagOfWords()
        first, last = ([text.split()[end] for text in texts] for end in (0, -1))
        return np.concatenate([bag.encode(first), bag.encode(last)], axis=1)


def scores(encoder, folder, **options):
    report = evaluate(encoder, data=folder, tasks=ORDER, **options)
    return {name: run.result for name, run in report.runs["model"].items()}


def test_a_bag_of_words_scores_exactly_zero(tmp_path):
    found = scores(BagOfWords(), tmp_path)
    assert {name: result.score for name, result in found.items()} == dict.fromkeys(ORDER, 0.0)
    assert all(result.details["sentences"] > 1000 for result in found.values())


def test_rounding_of_long_sums_is_no_movement(tmp_path):
    random = np.random.default_rng(0)
    lines = [" ".join(f"w{n}" for n in random.integers(0, 500, 80)) for _ in range(30)]
    write(tmp_path / "order/sentences.txt", lines)
    report = evaluate(BagOfWords(400), data=tmp_path, tasks=["Swap", "Reverse"])
    assert [run.result.score for run in report.runs["model"].values()] == [0, 0]


def test_an_encoder_of_ends_moves_as_far_as_another_sentence(tmp_path):
    lines = ["alpha the beta saw the gamma delta", "epsilon a zeta met the eta theta"]
    write(tmp_path / "order/sentences.txt", lines)
    found = scores(FirstWord(), tmp_path)
    assert found["Swap"].score == found["Arguments"].score == 0
    assert found["Reverse"].score == pytest.approx(100, abs=40)


def test_the_scale_is_the_distance_between_sentences(tmp_path):
    write(tmp_path / "order/sentences.txt", ["a b", "c d"])
    places = {"a b": 0.0, "b a": 30.0, "c d": 60.0, "d c": 60.0}

    def encode(texts):
        angles = np.radians([places[text] for text in texts])
        return np.stack([np.cos(angles), np.sin(angles)], axis=1) * 7

    report = evaluate(encode, data=tmp_path, tasks=["Reverse"])
    expected = 100 * np.sin(np.radians(15)) / 2 / np.sin(np.radians(30))
    assert report.runs["model"]["Reverse"].result.score == pytest.approx(expected, rel=1e-4)


def test_given_exchanges_are_used(tmp_path):
    write(tmp_path / "order/sentences.txt", ["the dog bit the man\tthe man bit the dog", "a b c"])
    data = DataFolder(tmp_path)
    given = [("the dog bit the man", "the man bit the dog")]
    assert TASKS["Arguments"].read(data) == given
    assert [changed for _, changed in TASKS["Reverse"].read(data)] == [
        "man the bit dog the",
        "c b a",
    ]
    write(tmp_path / "mine.txt", ["x y"])
    mine = TASKS["Reverse"].with_sentences(tmp_path / "mine.txt")
    assert mine.read(data) == [("x y", "y x")]


def test_sentences_that_cannot_be_changed(tmp_path):
    write(tmp_path / "order/sentences.txt", ["no determiners here"])
    with pytest.raises(ConfigError, match="Arguments: no sentence of the list can be changed"):
        TASKS["Arguments"].read(DataFolder(tmp_path))


@given(st.lists(st.sampled_from(["a", "b", "the", "dog", "cat", "."]), max_size=12))
def test_changes_keep_the_words(words):
    sentence = " ".join(words)
    for change in (swap_neighbors, reverse, exchange_arguments):
        changed = change(sentence)
        if changed is not None:
            assert changed != sentence
            assert sorted(changed.split()) == sorted(words)


def test_changes_by_hand():
    assert swap_neighbors("a b c d") == "a c b d"
    assert swap_neighbors("a b b a") == "b a b a"
    assert swap_neighbors("a a") is None
    assert reverse("a b a") is None
    assert exchange_arguments("the dog bit a man") == "the man bit a dog"
    assert exchange_arguments("The dog , my friend") is None  # nothing is done to anybody
    assert exchange_arguments("the dog bit") is None


def test_sentences_of_our_own():
    sentences = transitive_sentences()
    assert len({sentence for sentence, _ in sentences}) == len(sentences)
    for sentence, exchanged in sentences:
        assert sorted(sentence.split()) == sorted(exchanged.split())
        assert sentence != exchanged
