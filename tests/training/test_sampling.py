"""What the sampler draws, against its distributions."""

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats
from small_runs import WORDS, random_sentences, sampler

from cmow.errors import ConfigError
from cmow.training.objectives.negative_sampling import (
    keep_chances,
    noise_weights,
    validation_sentences,
)

UNLIKELY = 1e-4  # a chi-square beyond this is taken for a bug


def fits(observed: Any, shares: Any) -> bool:
    """Whether counts may well have come from a distribution."""
    observed, shares = np.asarray(observed, float), np.asarray(shares, float)
    possible = shares > 0
    assert not observed[~possible].any()
    expected = shares[possible] / shares.sum() * observed.sum()
    return bool(stats.chisquare(observed[possible], expected).pvalue > UNLIKELY)


def one_sentence(length: int, **changes: Any):
    """Many batches of the same sentence, whose words are its positions."""
    return sampler([list(range(length))], batch_sentences=500, **changes)


@pytest.mark.parametrize("share_negatives", [False, True])
def test_noise_is_drawn_by_its_weights(share_negatives):
    weights = np.arange(WORDS, dtype=float) ** 1.5
    drawn = one_sentence(5, noise=weights, share_negatives=share_negatives, negatives=20)
    negatives = drawn.batch(0, 1).negatives
    assert negatives.shape == (500 if share_negatives else 500 * 5, 20)
    assert fits(np.bincount(negatives.ravel(), minlength=WORDS), weights)


def test_all_sets_of_centres_are_equally_likely():
    batch = one_sentence(6, centres=3, window=100, random_target=False).batch(0, 1)
    sets: Counter[tuple[int, ...]] = Counter()
    for slot in range(500):
        chosen = batch.windows[batch.windows[:, 0] == slot][:, 2] - 6 * slot
        assert len(set(chosen)) == 3  # without replacement
        sets[tuple(sorted(chosen))] += 1
    assert len(sets) == 20
    assert fits(list(sets.values()), [1] * 20)


def test_a_random_target_is_any_word_of_the_window():
    batch = one_sentence(9, centres=9, window=2).batch(0, 1)
    positions = batch.windows[:, 1:] - 9 * batch.windows[:, :1]
    for centre in range(9):
        low, high = max(centre - 2, 0), min(centre + 3, 9)
        targets = positions[centre::9][:, 1]
        assert (positions[centre::9][:, [0, 2]] == [low, high]).all()
        assert fits(np.bincount(targets, minlength=9)[low:high], [1] * (high - low))


def test_the_centre_is_the_target_on_request():
    batch = one_sentence(9, centres=9, window=2, random_target=False).batch(0, 1)
    assert (batch.windows[:, 2] - 9 * batch.windows[:, 0] == np.tile(np.arange(9), 500)).all()


def test_windows_stay_within_their_sentence():
    sentences = random_sentences([1, 2, 3, 30, 8, 5, 1, 12])
    batch = sampler(sentences, centres=30, window=5, batch_sentences=40).batch(0, 1)
    bounds = np.concatenate([[0], np.cumsum(np.bincount(batch.windows[:, 0]))])
    for slot in set(batch.windows[:, 0]):
        rows = batch.windows[bounds[slot] : bounds[slot + 1]]
        low, high = rows[:, 1].min(), rows[:, 3].max()
        words = batch.ids[low:high].tolist()
        assert words in sentences  # all words are centers here, so that the windows cover it
        assert len(rows) == len(words) >= 2
        assert ((rows[:, 1] <= rows[:, 2]) & (rows[:, 2] < rows[:, 3])).all()


def test_an_epoch_has_each_sentence_once():
    sentences = [[number, 0] for number in range(1, 21)]
    drawn = sampler(sentences, batch_sentences=5)
    epochs = []
    for epoch in range(2):
        batches = [drawn.batch(4 * epoch + update, 1) for update in range(4)]
        epochs.append([word for batch in batches for word in batch.ids.tolist() if word])
        assert sorted(epochs[-1]) == list(range(1, 21))
    assert epochs[0] != epochs[1]


def test_validation_sentences_are_held_out_and_always_drawn_alike():
    sentences = [[number, 0] for number in range(1, 21)]
    drawn = sampler(sentences, batch_sentences=3, validation_sentences=4)
    assert (drawn.sentences_per_epoch, drawn.validation_batches) == (16, 2)
    held_out = [word for index in range(2) for word in drawn.validation_batch(index, 1).ids if word]
    trained = {word for update in range(20) for word in drawn.batch(update, 1).ids.tolist() if word}
    assert len(held_out) == 4
    assert trained == set(range(1, 21)) - set(held_out)
    for name in ("ids", "windows", "negatives"):
        first, second = (getattr(drawn.validation_batch(0, 1), name) for _ in range(2))
        np.testing.assert_array_equal(first, second)


@pytest.mark.parametrize("share_negatives", [False, True])
def test_batches_follow_from_seed_and_update_whatever_the_threads(share_negatives):
    def batch(threads: int, update: int = 3, **changes: Any):
        drawn = sampler(
            random_sentences(range(1, 80)),
            batch_sentences=70,
            share_negatives=share_negatives,
            keep=np.full(WORDS, 0.8, np.float32),
            **changes,
        )
        made = drawn.batch(update, threads)
        return made.ids, made.windows, made.negatives

    for threads in (2, 3):
        for one, many in zip(batch(1), batch(threads), strict=True):
            np.testing.assert_array_equal(one, many)
    assert not np.array_equal(batch(1)[0], batch(1, seed=2)[0])
    assert not np.array_equal(batch(1)[0], batch(1, update=4)[0])


def test_ranks_share_a_batch():
    drawn = sampler(random_sentences([3] * 7 + [8] * 6), batch_sentences=11, share_negatives=True)
    whole = drawn.batch(2, 1)
    parts = [drawn.batch(2, 1, rank, 3) for rank in range(3)]
    assert sum(map(len, parts)) == len(whole)
    for rank, part in enumerate(parts):
        np.testing.assert_array_equal(part.negatives, whole.negatives[rank::3])


def test_subsampling_keeps_words_by_their_chance():
    keep = np.linspace(0.1, 1, WORDS).astype(np.float32)
    batch = one_sentence(WORDS, keep=keep).batch(0, 1)
    kept = np.bincount(batch.ids, minlength=WORDS)
    variance = np.maximum(500 * keep * (1 - keep), 1e-9)
    assert (np.abs(kept - 500 * keep) < 5 * np.sqrt(variance) + 1e-3).all()


def test_noise_weights_are_a_power_of_the_counts():
    weights = noise_weights(np.array([16, 1, 0]), 0.75)
    np.testing.assert_allclose(weights, [8, 1, 0])
    np.testing.assert_allclose(noise_weights(np.array([16, 1, 0]), 0.0), [1, 1, 0])


def test_frequent_words_are_thinned_out_as_in_word2vec():
    counts = np.array([9_000, 900, 100, 0])
    chances = keep_chances(counts, 0.01)
    share = 0.01 / 0.9
    np.testing.assert_allclose(chances[0], share**0.5 + share, rtol=1e-6)
    assert chances[0] < chances[1] < chances[2] == chances[3] == 1


@pytest.mark.parametrize(
    ("sentences", "expected"),
    [(2, 1), (10, 1), (100, 10), (20_000, 1024), (2_000_000, 2000)],
)
def test_a_tenth_is_held_out_at_most(sentences, expected):
    assert validation_sentences(sentences, 0.001) == expected


def test_nothing_is_held_out_of_a_single_sentence():
    assert validation_sentences(1, 0.0) == 0
    with pytest.raises(ConfigError, match="one sentence is not enough"):
        validation_sentences(1, 0.001)
