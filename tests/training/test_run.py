"""Whole runs, small enough to look at all that they do."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from language import SETTINGS, losses, tables, write_text

import cmow
from cmow import TrainConfig
from cmow.corpus import PrepareSettings, prepare
from cmow.errors import ConfigError
from cmow.paper.grammar import Grammar
from cmow.training.history import Progress
from cmow.training.run import run_training

CONFIG = TrainConfig(**SETTINGS, max_updates=30)
TEXTS = [sentence.text for sentence in Grammar(0).sentences(200)]


@pytest.fixture
def corpus(tmp_path) -> Path:
    return write_text(tmp_path / "corpus.txt")


def test_sentences_in_an_encoder_out():
    encoder = cmow.train(TEXTS, CONFIG)
    assert encoder.encode(TEXTS[:3]).shape == (3, 6 + 9)
    assert encoder.training["updates"] == 30
    assert encoder.training["learning_rate"] == CONFIG.learning_rate


def test_a_file_a_prepared_folder_and_sentences_give_the_same(corpus, tmp_path):
    prepare(corpus, tmp_path / "prepared", CONFIG.prepare)
    lines = corpus.read_text().splitlines()
    encoders = [cmow.train(each, CONFIG) for each in (corpus, tmp_path / "prepared", lines)]
    for other in encoders[1:]:
        assert other.vocabulary.words == encoders[0].vocabulary.words
        for one, two in zip(tables(encoders[0]), tables(other), strict=True):
            np.testing.assert_array_equal(one, two)


def test_the_folder_holds_the_encoder_alone(corpus, tmp_path):
    encoder = cmow.train(corpus, CONFIG, folder=tmp_path / "model")
    files = {file.name for file in (tmp_path / "model").iterdir()}
    assert files == {"README.md", "config.json", "history.jsonl", "model.safetensors",
                     "modules.json", "run.json", "tokenizer.json"}  # fmt: skip
    again = cmow.load(tmp_path / "model")
    for one, two in zip(tables(encoder), tables(again), strict=True):
        np.testing.assert_array_equal(one, two)
    assert again.training["shape"] == SETTINGS["shape"]
    assert again.training["corpus_sentences"] == 300


def test_the_model_says_how_its_text_was_prepared(corpus, tmp_path):
    prepare(corpus, tmp_path / "prepared", PrepareSettings(tokenizer="whitespace"))
    encoder = cmow.train(tmp_path / "prepared", TrainConfig(**SETTINGS))
    assert encoder.training["prepare"]["tokenizer"] == "whitespace"


def test_another_tokenizer_than_that_of_a_prepared_corpus_is_refused(corpus, tmp_path):
    prepare(corpus, tmp_path / "prepared")
    config = TrainConfig(**SETTINGS, prepare=PrepareSettings(tokenizer="whitespace"))
    with pytest.raises(ConfigError, match="was prepared with tokenizer = 'words'"):
        cmow.train(tmp_path / "prepared", config)


def test_another_seed_another_encoder():
    one, two = (cmow.train(TEXTS, replace(CONFIG, seed=seed)) for seed in (1, 2))
    assert not np.array_equal(tables(one)[0], tables(two)[0])


def test_callbacks_are_told_of_every_update(tmp_path):
    seen: list[Progress] = []
    cmow.train(TEXTS, CONFIG, folder=tmp_path / "model", callbacks=[seen.append])
    *updates, last = seen
    assert [progress.update for progress in updates] == list(range(1, 31))
    assert last.update == 30
    assert last.validated
    assert [progress.update for progress in updates if progress.is_line] == [10, 20, 25, 30]
    assert [progress.update for progress in updates if progress.validated] == [25]
    assert updates[0].training_loss == pytest.approx(6 * np.log(2), rel=1e-6)
    assert all(progress.updates == 30 for progress in seen)
    assert updates[-1].seconds_left == 0
    assert updates[9].examples > updates[8].examples
    assert updates[9].epoch == pytest.approx(10 * 16 / 180)
    assert len(losses(tmp_path / "model")) == 5


def test_the_training_loss_is_the_mean_since_the_last_line():
    each: list[Progress] = []
    cmow.train(TEXTS, replace(CONFIG, report_updates=1), callbacks=[each.append])
    windows = np.diff([0, *(progress.examples for progress in each[:30])])
    losses = np.array([progress.training_loss for progress in each[:30]])
    lines: list[Progress] = []
    cmow.train(TEXTS, CONFIG, callbacks=[lines.append])
    for start, end in ((0, 10), (10, 20), (20, 25), (25, 30)):
        mean = np.average(losses[start:end], weights=windows[start:end])
        assert lines[end - 1].training_loss == pytest.approx(mean)


def test_the_best_encoder_is_kept():
    # Thirty sentences are soon known by heart, and the validation loss rises.
    config = replace(CONFIG, max_updates=None, patience=3, validation_updates=5, learning_rate=0.05)
    outcome = run_training(TEXTS[:30], config, folder=None)
    best = outcome.state.best_update
    assert outcome.ending.finished
    assert "no better validation loss in 3" in outcome.ending.reason
    assert outcome.state.update == best + 3 * 5
    again = cmow.train(TEXTS[:30], replace(config, max_updates=best))
    for one, two in zip(tables(outcome.encoder), tables(again), strict=True):
        np.testing.assert_array_equal(one, two)


def test_stopping_by_the_training_loss():
    config = replace(
        CONFIG,
        stop_by="training",
        validation_share=0,
        validation_updates=4,
        patience=2,
        max_updates=400,
        learning_rate=0.05,
    )
    outcome = run_training(TEXTS[:20], config, folder=None)
    assert outcome.state.validation_loss is None
    assert outcome.state.best_loss < 6 * np.log(2)
    assert "no better training loss in 2" in outcome.ending.reason


def test_epochs_end_a_run():
    outcome = run_training(TEXTS, replace(CONFIG, max_updates=None, epochs=1.5), folder=None)
    assert outcome.state.update == 17  # of 16 sentences, 180 of them an epoch


@pytest.mark.parametrize("schedule", ["linear", "cosine"])
def test_the_rate_follows_its_schedule(schedule):
    seen: list[Progress] = []
    config = replace(CONFIG, schedule=schedule, warmup_updates=5)
    cmow.train(TEXTS, config, callbacks=[seen.append])
    rates = [progress.learning_rate for progress in seen]
    assert rates[4] == pytest.approx(config.learning_rate)
    assert rates[:5] == sorted(rates[:5])
    assert rates[5:] == sorted(rates[5:], reverse=True)


@pytest.mark.parametrize(
    "changes",
    [
        {"target": "center"},
        {"initialization": "glorot"},
        {"initialization": "normal"},
        {"share_negatives": "sentence"},
        {"negatives_loss": "mean"},
        {"adam": "lazy"},
        {"subsample": 0.01},
        {"noise_exponent": 0.5},
        {"product_rate": 2.5},
        {"shape": "cbow-400"},
        {"shape": "product(4)"},
        {"engine": "torch", "device": "cpu"},
    ],
)
def test_settings_change_what_is_learnt(changes):
    encoder = cmow.train(TEXTS, replace(CONFIG, max_updates=8, **changes))
    plain = cmow.train(TEXTS, replace(CONFIG, max_updates=8))
    assert not np.array_equal(tables(encoder)[-1], tables(plain)[-1])
