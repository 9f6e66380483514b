"""What may be resumed, and what not."""

import json
import os
import shutil
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from language import SETTINGS, content, losses, tables, write_text

import cmow
from cmow import TrainConfig
from cmow.errors import ConfigError, FormatError
from cmow.training.checkpoint import Checkpoint
from cmow.training.config import UPDATES_OF_DECAY
from cmow.training.folder import locked, run_place
from cmow.training.history import Progress, read_history
from cmow.training.loop import Loop
from cmow.training.run import run_training

CONFIG = TrainConfig(**SETTINGS, max_updates=30)


@pytest.fixture
def corpus(tmp_path) -> Path:
    return write_text(tmp_path / "corpus.txt")


@pytest.fixture
def paused(corpus, tmp_path) -> Path:
    """A model whose run is not finished."""
    model = tmp_path / "model"
    outcome = run_training(corpus, replace(CONFIG, max_minutes=1e-9), folder=model)
    assert not outcome.ending.finished
    return model


def test_an_unfinished_run_is_not_overwritten(corpus, paused):
    with pytest.raises(ConfigError, match=r"not finished .*: continue with --resume, or"):
        cmow.train(corpus, CONFIG, folder=paused)


def test_a_trained_model_is_not_overwritten(corpus, tmp_path):
    model = tmp_path / "model"
    cmow.train(corpus, replace(CONFIG, keep_run=True), folder=model)
    before = (model / "model.safetensors").read_bytes()
    with pytest.raises(ConfigError, match=r"trained already: continue with --resume"):
        cmow.train(corpus, replace(CONFIG, seed=2), folder=model)
    shutil.rmtree(tmp_path / "model.run")
    for resume in (False, True):
        with pytest.raises(ConfigError, match=r"a model already: choose another folder"):
            cmow.train(corpus, CONFIG, folder=model, resume=resume)
    assert (model / "model.safetensors").read_bytes() == before


def test_what_is_left_of_a_finished_run_tells_what_it_was(corpus, tmp_path):
    model = tmp_path / "model"
    whole = cmow.train(corpus, CONFIG, folder=model)
    assert not run_place(model).exists()
    again = cmow.train(corpus, replace(CONFIG, threads=2), folder=model, resume=True)
    assert again.training == whole.training
    with pytest.raises(ConfigError, match=r"trained already: choose another folder"):
        cmow.train(corpus, CONFIG, folder=model)
    with pytest.raises(
        ConfigError, match=r"model\.run is removed: seed was 0 and is now 2; continue"
    ):
        cmow.train(corpus, replace(CONFIG, seed=2), folder=model, resume=True)
    corpus.write_text("other words\n" * 300)
    with pytest.raises(ConfigError, match=r"cannot resume with another corpus"):
        cmow.train(corpus, CONFIG, folder=model, resume=True)


def test_a_run_that_is_killed_while_it_is_removed_has_finished(corpus, tmp_path, monkeypatch):
    model, remove = tmp_path / "model", shutil.rmtree

    def killed(path: Path, **options: bool) -> None:
        if path == run_place(model):
            raise ZeroDivisionError
        remove(path, **options)

    with monkeypatch.context() as patched:
        patched.setattr("shutil.rmtree", killed)
        with pytest.raises(ZeroDivisionError):
            cmow.train(corpus, CONFIG, folder=model)
    assert run_place(model).exists()
    assert not (run_place(model) / "run.json").exists()
    assert cmow.train(corpus, CONFIG, folder=model, resume=True).training["updates"] == 30
    assert not run_place(model).exists()


def test_changed_settings_are_refused_and_named(corpus, paused):
    changed = replace(CONFIG, learning_rate=0.1, negatives=6)
    with pytest.raises(ConfigError) as caught:
        cmow.train(corpus, changed, folder=paused, resume=True)
    message = str(caught.value)
    assert "learning_rate was 0.003 and is now 0.1" in message
    assert "negatives was 5 and is now 6" in message
    assert "seed" not in message


def test_changed_preparation_is_refused_and_named(corpus, paused):
    changed = replace(CONFIG, prepare=replace(CONFIG.prepare, vocabulary_size=99))
    with pytest.raises(ConfigError, match=r"prepare\.vocabulary_size was 30000 and is now 99"):
        cmow.train(corpus, changed, folder=paused, resume=True)


def test_a_changed_corpus_is_refused(corpus, paused):
    corpus.write_text(corpus.read_text() + "one more sentence\n")
    with pytest.raises(ConfigError, match="another corpus: its fingerprint was"):
        cmow.train(corpus, CONFIG, folder=paused, resume=True)


def test_settings_that_change_no_bits_may_change(corpus, paused):
    changed = replace(CONFIG, threads=2, checkpoint_updates=3, max_updates=31)
    encoder = cmow.train(corpus, changed, folder=paused, resume=True)
    plain = cmow.train(corpus, replace(CONFIG, max_updates=31))
    for one, two in zip(tables(encoder), tables(plain), strict=True):
        np.testing.assert_array_equal(one, two)


def test_a_decaying_rate_depends_on_the_end(corpus, tmp_path):
    config = replace(CONFIG, schedule="linear", max_minutes=1e-9)
    run_training(corpus, config, folder=tmp_path / "model")
    with pytest.raises(ConfigError, match="max_updates was 30 and is now 31"):
        run_training(
            corpus, replace(config, max_updates=31), folder=tmp_path / "model", resume=True
        )


def test_the_end_of_a_run_is_kept_whatever_the_default_becomes(corpus, tmp_path):
    def interrupt(progress: Progress) -> None:
        if progress.update % 2:  # a run ends one update later
            os.kill(os.getpid(), signal.SIGINT)

    usual = replace(CONFIG, schedule="linear", max_updates=None)
    run_training(corpus, usual, folder=tmp_path / "model", callbacks=[interrupt])
    written = replace(usual, max_updates=UPDATES_OF_DECAY)
    run_training(corpus, written, folder=tmp_path / "model", resume=True, callbacks=[interrupt])
    with pytest.raises(ConfigError, match=f"max_updates was {UPDATES_OF_DECAY} and is now 31"):
        run_training(corpus, replace(usual, max_updates=31), folder=tmp_path / "model", resume=True)


def test_another_spelling_of_the_shape_is_the_same_shape(corpus, paused):
    respelt = replace(CONFIG, shape=f" {CONFIG.shape.replace('+', ' + ')}")
    assert cmow.train(corpus, respelt, folder=paused, resume=True).training["updates"] == 30


def test_resuming_what_is_finished_changes_nothing(corpus, tmp_path):
    model = tmp_path / "model"
    cmow.train(corpus, CONFIG, folder=model)
    before = content(model), losses(model)
    cmow.train(corpus, CONFIG, folder=model, resume=True)
    assert (content(model), losses(model)) == before


def test_there_may_be_nothing_to_resume(corpus, tmp_path):
    cmow.train(corpus, CONFIG, folder=tmp_path / "model", resume=True)
    assert len(losses(tmp_path / "model")) == 5


@pytest.mark.parametrize("report_updates", [7, 10])
def test_a_kill_between_the_last_checkpoint_and_the_end(
    corpus, tmp_path, monkeypatch, report_updates
):
    config = replace(CONFIG, schedule="linear", report_updates=report_updates)
    cmow.train(corpus, config, folder=tmp_path / "whole")

    def validate(loop: Loop) -> None:
        if loop.state.update == config.max_updates:
            raise SystemExit
        really(loop)

    really = Loop._validate
    monkeypatch.setattr(Loop, "_validate", validate)
    with pytest.raises(SystemExit):
        cmow.train(corpus, config, folder=tmp_path / "model")
    monkeypatch.undo()
    cmow.train(corpus, config, folder=tmp_path / "model", resume=True)
    whole, resumed = (
        read_history(tmp_path / name / "history.jsonl") for name in ("whole", "model")
    )
    assert resumed[-1]["learning_rate"] == whole[-1]["learning_rate"] == config.learning_rate / 30
    assert resumed[-1].keys() == whole[-1].keys()
    for line in (*whole, *resumed):  # an empty stretch has no speed
        assert line.get("windows_per_second", 1) > 0
        assert ("windows_per_second" in line) == ("training_loss" in line)


def test_damaged_checkpoints_are_named(corpus, paused):
    checkpoint = run_place(paused) / "run.json"
    arrays = run_place(paused) / json.loads(checkpoint.read_text())["arrays"] / "cbow.table.npy"
    whole = arrays.read_bytes()
    arrays.write_bytes(whole[:-5])
    with pytest.raises(FormatError, match=r"cbow\.table\.npy: damaged"):
        cmow.train(corpus, CONFIG, folder=paused, resume=True)
    checkpoint.write_text("{")
    with pytest.raises(FormatError, match=r"run\.json: damaged; remove .*model\.run"):
        cmow.train(corpus, CONFIG, folder=paused, resume=True)
    checkpoint.write_text('{"version": 99}')
    with pytest.raises(FormatError, match="another version"):
        cmow.train(corpus, CONFIG, folder=paused, resume=True)


def test_one_process_at_a_time(corpus, tmp_path):
    model = tmp_path / "model"
    run_place(model).mkdir()
    with locked(run_place(model)):
        (run_place(model) / "run.json").write_text("{")  # must not even be read
        with pytest.raises(ConfigError, match="another process trains this model"):
            cmow.train(corpus, CONFIG, folder=model, resume=True)
    (run_place(model) / "run.json").unlink()
    cmow.train(corpus, CONFIG, folder=model, resume=True)


def test_ctrl_c_at_the_end_is_not_forgotten(corpus, tmp_path):
    def interrupt(progress: Progress) -> None:
        if progress.update == CONFIG.max_updates and not progress.validated:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        cmow.train(corpus, CONFIG, folder=tmp_path / "model", callbacks=[interrupt])
    assert cmow.load(tmp_path / "model").training["updates"] == CONFIG.max_updates


def test_ctrl_c_leaves_python_too(corpus, tmp_path):
    def interrupt(progress: Progress) -> None:
        if progress.update == 7:
            os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        cmow.train(corpus, CONFIG, folder=tmp_path / "model", callbacks=[interrupt])
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    checkpoint = Checkpoint.read(run_place(tmp_path / "model"))
    assert checkpoint is not None
    assert checkpoint.state["update"] == 8
    assert cmow.load(tmp_path / "model").training["updates"] == 8
    encoder = cmow.train(corpus, CONFIG, folder=tmp_path / "model", resume=True)
    for one, two in zip(tables(encoder), tables(cmow.train(corpus, CONFIG)), strict=True):
        np.testing.assert_array_equal(one, two)
