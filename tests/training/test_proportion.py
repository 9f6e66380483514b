"""A handful of sentences is not trained on for hours without a word."""

import logging

import pytest

import cmow
from cmow import TrainConfig
from cmow.errors import ConfigError
from cmow.training.proportion import check_proportion


def test_less_than_a_batch_needs_an_end() -> None:
    with pytest.raises(ConfigError, match=r"2 sentences .* fewer than a batch of 256: give more"):
        check_proportion(TrainConfig(), 2)
    for end in ({"epochs": 3.0}, {"max_updates": 3}, {"max_minutes": 0.1}):
        check_proportion(TrainConfig(**end), 2)


def test_many_epochs_are_told(caplog: pytest.LogCaptureFixture) -> None:
    check_proportion(TrainConfig(), 120_000)
    check_proportion(TrainConfig(schedule="constant"), 256)  # ends when the loss does not fall
    assert not caplog.records
    check_proportion(TrainConfig(), 3_000)
    (record,) = caplog.records
    assert record.levelno == logging.WARNING
    assert "through the corpus 10,240 times: give more text" in record.getMessage()


def test_a_tiny_corpus_is_refused_before_the_first_update() -> None:
    with pytest.raises(ConfigError, match="fewer than a batch of 256"):
        cmow.train(["id text", "1 the cat sat"] * 2, TrainConfig(shape="sum(3)"))
