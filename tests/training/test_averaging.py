"""Processes of the native engine that take the mean of their tables now and then."""

import os
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest
from language import ENVIRONMENT, SETTINGS, command, content, losses, write_text
from test_resume import update_of
from test_torchrun import TORCHRUN, finished, side_by_side, start

from cmow import TrainConfig, load
from cmow.corpus import prepare
from cmow.errors import ConfigError
from cmow.training.engines.native import NativeEngine
from cmow.training.objectives import NegativeSampling
from cmow.training.start import make_start

pytest.importorskip("torch")

CHANGES = {"batch_sentences": 15, "average_updates": 7, "validation_updates": 35}
UPDATES = 210


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    return write_text(tmp_path_factory.mktemp("corpus") / "corpus.txt")


@pytest.fixture(scope="module")
def uninterrupted(corpus, tmp_path_factory) -> Path:
    model = tmp_path_factory.mktemp("uninterrupted") / "model"
    side_by_side(command(corpus, model, **CHANGES, max_updates=UPDATES, checkpoint_updates=1000))
    return model


def by_hand(corpus: Path, folder: Path, updates: int) -> list[np.ndarray]:
    """The tables that two engines in one process come to."""
    config = TrainConfig(**{**SETTINGS, **CHANGES})
    prepared, objective = prepare(corpus, folder), NegativeSampling(config)
    batches = objective.batches(prepared)
    both = [make_start(prepared, objective, config).parameters for _ in range(2)]
    engines = [NativeEngine(each, objective, config) for each in both]
    for update in range(updates):
        for rank, engine in enumerate(engines):
            batch = batches.batch(update, 1, rank, 2)
            engine.step(batch, update=update, learning_rate=config.learning_rate)
        if (update + 1) % CHANGES["average_updates"] == 0:
            pairs = zip(both[0].arrays().values(), both[1].arrays().values(), strict=True)
            for one, other in pairs:
                one[:] = other[:] = (one + other) / 2
    return [part.table for part in both[0].parts]


def test_two_processes_do_what_two_engines_do(corpus, tmp_path):
    line = command(corpus, tmp_path / "two", **CHANGES, max_updates=35)
    (out,) = finished([start([*TORCHRUN, *line[line.index("-m") :]])])
    assert out.count("updates are done") == 1  # one process speaks for both
    tables = [part.table for part in load(tmp_path / "two").parts]
    for one, other in zip(tables, by_hand(corpus, tmp_path / "prepared", 35), strict=True):
        np.testing.assert_array_equal(one, other)


def test_they_learn(uninterrupted):
    lines = losses(uninterrupted)
    assert lines[-1]["validation_loss"] < lines[0]["training_loss"]


def begin(corpus: Path, model: Path) -> subprocess.Popen:
    limits = {"max_updates": UPDATES, "checkpoint_updates": 10}
    line = command(corpus, model, "--resume", **CHANGES, **limits)
    return subprocess.Popen(
        [*TORCHRUN, *line[line.index("-m") :]],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def end(process: subprocess.Popen, model: Path, update: int, number: int) -> bool:
    """Signal all processes of a run once it is so far; whether it was still at work."""
    while process.poll() is None and update_of(model) < update:
        time.sleep(0.001)
    working = process.poll() is None
    if working:
        os.killpg(process.pid, number)
    process.communicate()
    return working


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_interrupted_it_goes_on_to_the_same_bits(corpus, uninterrupted, tmp_path, number):
    model = tmp_path / "model"
    interrupted = [end(begin(corpus, model), model, update, number) for update in (10, 60)]
    assert any(interrupted)
    assert update_of(model) % CHANGES["average_updates"] == 0
    finished([begin(corpus, model)])
    assert content(model) == {
        name: data.replace(b'"checkpoint_updates": 1000', b'"checkpoint_updates": 10')
        for name, data in content(uninterrupted).items()
    }
    assert losses(model) == losses(uninterrupted)


def test_it_is_for_the_native_engine():
    with pytest.raises(ConfigError, match="average_updates is for engine native"):
        TrainConfig.of({"engine": "torch", "average_updates": 5})
