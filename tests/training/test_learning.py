"""A language that is generated, and learned."""

import math
from collections import Counter

import numpy as np
import pytest

import cmow
from cmow import TrainConfig
from cmow.paper.grammar import Grammar

CONFIG = TrainConfig(
    shape="sum(16)+product(8)",
    batch_sentences=128,
    negatives=10,
    share_negatives="sentence",
    learning_rate=0.005,
    schedule="linear",
    sigma=0.05,
    max_updates=500,
    validation_updates=100,
    threads=2,
)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [sentence.text for sentence in Grammar(0).sentences(12_000)]


@pytest.fixture(scope="module")
def encoder(texts):
    return cmow.train(texts, CONFIG)


def unigram_loss(texts: list[str], *, negatives: int, exponent: float) -> float:
    """The loss of the best model that does not look at the context.

    For a word that is drawn with chance p as the target and with chance q as noise, the best score
    is log(p / (k q)).
    """
    counts = Counter(word for text in texts for word in text.lower().split())
    chances = np.array(list(counts.values()), float)
    target = chances / chances.sum()
    noise = chances**exponent / (chances**exponent).sum()
    truth = target / (target + negatives * noise)
    return float(-(target * np.log(truth) + negatives * noise * np.log1p(-truth)).sum())


def test_the_loss_falls_below_that_of_the_unigram_model(texts, encoder):
    unigram = unigram_loss(texts, negatives=10, exponent=0.75)
    assert unigram < 11 * math.log(2)
    assert encoder.training["validation_loss"] < 0.9 * unigram


def accuracy_on_reverses(encoder: cmow.Encoder, texts: list[str]) -> float:
    """How often a linear classifier tells a new sentence from its words in reverse."""
    reverses = [" ".join(reversed(text.split())) for text in texts]
    embeddings = [encoder.encode(each, normalize="parts") for each in (texts, reverses)]
    features = np.stack([np.pad(each, ((0, 0), (0, 1)), constant_values=1) for each in embeddings])
    seen, new = features[:, : len(texts) // 2], features[:, len(texts) // 2 :]
    labels = np.repeat([1.0, -1.0], seen.shape[1])
    flat = seen.reshape(-1, seen.shape[2])
    weights = np.linalg.solve(flat.T @ flat + 0.1 * np.eye(flat.shape[1]), flat.T @ labels)
    scores = new @ weights
    return float(((scores[0] > 0).mean() + (scores[1] < 0).mean()) / 2)


def test_the_product_part_tells_a_sentence_from_its_reverse(texts, encoder):
    assert accuracy_on_reverses(encoder.part("cmow"), texts[:2000]) > 0.9
    assert accuracy_on_reverses(encoder.part("cbow"), texts[:2000]) == pytest.approx(0.5, abs=0.01)
