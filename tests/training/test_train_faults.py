"""Runs that go wrong, and what they say."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from language import ENVIRONMENT, SETTINGS, tables, write_text

import cmow
from cmow import TrainConfig
from cmow.corpus import prepare
from cmow.errors import ConfigError, DivergenceError, MissingExtraError
from cmow.paper.grammar import Grammar
from cmow.training.checkpoint import Checkpoint
from cmow.training.engines.native import NativeEngine
from cmow.training.folder import run_place
from cmow.training.run import run_training

TEXTS = [sentence.text for sentence in Grammar(0).sentences(200)]
CONFIG = TrainConfig(**SETTINGS, max_updates=30)


@pytest.fixture
def corpus(tmp_path) -> Path:
    return write_text(tmp_path / "corpus.txt")


def test_a_loss_that_explodes_stops_the_run(corpus, tmp_path):
    model = tmp_path / "model"
    config = replace(CONFIG, checkpoint_updates=2, learning_rate=0.003, warmup_updates=0)
    run_training(corpus, replace(config, max_updates=4), folder=model)
    good = Checkpoint.read(run_place(model))
    with pytest.raises(DivergenceError) as caught:
        cmow.train(corpus, replace(config, learning_rate=1e6), folder=tmp_path / "other")
    message = str(caught.value)
    assert "update 2: the loss" in message
    assert "learning rate 1e+06" in message
    assert "last losses 4.159, " in message
    assert ") of " in message
    assert "the checkpoint of update 0 is intact" in message
    assert Checkpoint.read(run_place(model)) == good


def test_a_table_that_is_not_finite_is_never_saved(corpus, tmp_path, monkeypatch):
    model = tmp_path / "model"

    def spoil(self, batch, *, update, learning_rate):
        loss = step(self, batch, update=update, learning_rate=learning_rate)
        if update == 6:
            self.parameters().parts[1].table[5, 3] = np.nan
        return loss

    step = NativeEngine.step
    monkeypatch.setattr(NativeEngine, "step", spoil)
    with pytest.raises(DivergenceError) as caught:
        cmow.train(corpus, replace(CONFIG, checkpoint_updates=1), folder=model)
    assert "row 5 ('" in str(caught.value)
    assert "of cmow is not finite" in str(caught.value)
    assert "the checkpoint of update 6 is intact" in str(caught.value)
    checkpoint = Checkpoint.read(run_place(model))
    assert checkpoint is not None
    assert checkpoint.state["update"] == 6
    monkeypatch.undo()
    encoder = cmow.train(corpus, replace(CONFIG, checkpoint_updates=1), folder=model, resume=True)
    for one, two in zip(tables(encoder), tables(cmow.train(corpus, CONFIG)), strict=True):
        np.testing.assert_array_equal(one, two)


def test_torch_may_be_missing(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("cmow.training.device")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'cmow\[torch\]'"):
        cmow.train(TEXTS, replace(CONFIG, engine="torch"))


def test_a_device_that_is_not_there():
    with pytest.raises(ConfigError, match="device 'quantum' cannot be used"):
        cmow.train(TEXTS, replace(CONFIG, engine="torch", device="quantum"))


def test_a_folder_of_something_else_is_left_alone(corpus, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").write_text("precious")
    with pytest.raises(ConfigError, match="neither empty nor a model"):
        cmow.train(corpus, CONFIG, folder=tmp_path / "mine")
    assert not run_place(tmp_path / "mine").exists()


@pytest.mark.parametrize(
    "changes", [{"resume": True}, {"config": replace(CONFIG, keep_output=True)}]
)
def test_without_a_folder_there_is_nothing_to_keep_or_resume(changes):
    with pytest.raises(ConfigError, match="needs a folder"):
        cmow.train(TEXTS, **{"config": CONFIG, **changes})


def test_one_sentence_cannot_be_validated():
    with pytest.raises(ConfigError, match="one sentence is not enough"):
        cmow.train(["a sentence of its own"], CONFIG)
    config = replace(CONFIG, stop_by="training", validation_share=0)
    assert cmow.train(["a sentence of its own"], config).encode(["own"]).shape == (1, 15)


def test_a_prepared_corpus_has_its_own_settings(corpus, tmp_path):
    prepare(corpus, tmp_path / "prepared", CONFIG.prepare)
    other = replace(CONFIG, prepare=replace(CONFIG.prepare, vocabulary_size=50))
    with pytest.raises(ConfigError, match="prepared with vocabulary_size = 30000, not 50"):
        cmow.train(tmp_path / "prepared", other)


@pytest.mark.parametrize("fits", ["nothing", "the checkpoint"])
def test_a_full_disk_is_named_and_leaves_nothing_half_written(tmp_path, fits):
    # A limit on the size of files stands in for the disk. A table of 200 numbers a word fits into
    # the larger limit, but not with the counts of the words beside it, as the model has them.
    prepared = prepare(TEXTS, tmp_path / "prepared")
    table = len(prepared.vocabulary) * 200 * 4
    limit = table // 2 if fits == "nothing" else table + 1000
    script = (
        f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
        f"from cmow.cli import main; main()"
    )
    flags = ["--preset", "sum(200)", "--max-updates", "3"]
    model = tmp_path / "model"
    done = subprocess.run(
        [sys.executable, "-c", script, "train", tmp_path / "prepared", model, *flags],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        check=False,
    )
    assert done.returncode == 2, done.stderr
    last = done.stderr.splitlines()[-1]
    assert "maybe the disk is full" in last if fits == "nothing" else "File too large" in last
    assert "Traceback" not in done.stderr
    assert sorted(file.name for file in tmp_path.iterdir()) == ["model.run", "prepared"]
