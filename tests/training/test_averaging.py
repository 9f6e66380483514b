"""Processes of the native engine that put together what they learned now and then."""

import os
import shutil
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
    limits = {"max_updates": UPDATES, "checkpoint_updates": 1000}
    side_by_side(command(corpus, model, "--keep-run", **CHANGES, **limits))
    return model


def joined(before: dict, both: list[dict], met: list[dict], updates: int) -> dict:
    """What two processes make of their tables and moments, row by row."""
    made = {}
    for name in before:
        table = name.rpartition(".")[0]
        counts = np.array([each[table] for each in met])
        total = counts.sum(axis=0)
        rows = np.array([each[name] for each in both], np.float64)
        if name.endswith(".table"):
            any_met = updates * (1 - (1 - counts / updates).prod(axis=0))
            factor = any_met / np.maximum(total, 1)
            steps = (rows - before[name]).sum(axis=0)
            made[name] = before[name] + factor[:, None] * steps
        else:
            mean = (counts[:, :, None] * rows).sum(axis=0) / np.maximum(total, 1)[:, None]
            made[name] = np.where((total == 0)[:, None], before[name], mean)
    return made


def by_hand(corpus: Path, folder: Path, updates: int, changes: dict) -> list[np.ndarray]:
    """The tables that two engines in one process come to."""
    config = TrainConfig(**{**SETTINGS, **changes})
    prepared, objective = prepare(corpus, folder), NegativeSampling(config)
    batches = objective.batches(prepared)
    both = [make_start(prepared, objective, config).parameters for _ in range(2)]
    engines = [NativeEngine(each, objective, config) for each in both]
    arrays = [each.arrays() for each in both]
    before, met = {}, [{}, {}]
    for update in range(updates):
        if update % config.average_updates == 0:
            before = {name: array.copy() for name, array in arrays[0].items()}
            met = [{each.name: np.zeros(len(each.table)) for each in made} for made in both]
        for rank, engine in enumerate(engines):
            moments = {each.name: each.first_moment.copy() for each in both[rank]}
            batch = batches.batch(update, 1, rank, 2)
            engine.step(batch, update=update, learning_rate=config.learning_rate)
            for each in both[rank]:
                met[rank][each.name] += (each.first_moment != moments[each.name]).any(axis=1)
        if (update + 1) % config.average_updates == 0:
            made = joined(before, arrays, met, config.average_updates)
            for name in made:
                arrays[0][name][:] = arrays[1][name][:] = made[name]
    return [part.table for part in both[0].parts]


@pytest.mark.parametrize("adam", ["dense", "lazy"])
def test_two_processes_do_what_two_engines_do(corpus, tmp_path, adam):
    changes = {**CHANGES, "adam": adam}
    line = command(corpus, tmp_path / "two", **changes, max_updates=35)
    (out,) = finished([start([*TORCHRUN, *line[line.index("-m") :]])])
    assert out.count("updates are done") == 1  # one process speaks for both
    tables = [part.table for part in load(tmp_path / "two").parts]
    expected = by_hand(corpus, tmp_path / "prepared", 35, changes)
    for one, other in zip(tables, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-6)


def test_they_learn(uninterrupted):
    lines = losses(uninterrupted)
    assert lines[-1]["validation_loss"] < lines[0]["training_loss"]


def begin(corpus: Path, model: Path) -> subprocess.Popen:
    limits = {"max_updates": UPDATES, "checkpoint_updates": 10}
    line = command(corpus, model, "--resume", "--keep-run", **CHANGES, **limits)
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


def test_it_goes_on_with_as_many_processes_only(corpus, uninterrupted, tmp_path):
    model = shutil.copytree(uninterrupted.parent, tmp_path / "copy") / "model"
    line = command(corpus, model, "--resume", **CHANGES, max_updates=UPDATES + 7)
    process = start(line)
    _, error = process.communicate()
    assert process.returncode == 2
    assert "another number of processes: it was 2 and is now 1; start as many" in error


def test_it_is_for_the_native_engine():
    with pytest.raises(ConfigError, match="average_updates is for engine native"):
        TrainConfig.of({"engine": "torch", "average_updates": 5})
