"""A run that is killed again and again ends with the same bits as one that is not."""

import json
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from language import ENVIRONMENT, command, content, losses, write_text

from cmow.training.folder import run_place

UPDATES = 240


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    return write_text(tmp_path_factory.mktemp("corpus") / "corpus.txt")


@pytest.fixture(scope="module")
def uninterrupted(corpus, tmp_path_factory) -> Path:
    model = tmp_path_factory.mktemp("uninterrupted") / "model"
    subprocess.run(
        command(corpus, model, max_updates=UPDATES, checkpoint_updates=1000),
        check=True,
        capture_output=True,
        env=ENVIRONMENT,
    )
    return model


def update_of(model: Path) -> int:
    """The update of the latest checkpoint; also a test that there is a whole one at any time."""
    try:
        return json.loads((run_place(model) / "run.json").read_text())["state"]["update"]
    except FileNotFoundError:
        return -1


def start(corpus: Path, model: Path, *more: str) -> subprocess.Popen:
    line = command(corpus, model, "--resume", *more, max_updates=UPDATES, checkpoint_updates=12)
    return subprocess.Popen(
        line, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def wait_for(process: subprocess.Popen, model: Path, update: int) -> None:
    while process.poll() is None and update_of(model) < update:
        time.sleep(0.001)


def test_killed_again_and_again(corpus, uninterrupted, tmp_path):
    model = tmp_path / "model"
    kills = 0
    for update in (0, 10, 60, 110, 170):
        process = start(corpus, model)
        wait_for(process, model, update)
        kills += process.poll() is None
        process.kill()
        process.communicate()
    assert kills >= 3  # or the machine was so slow to look that the run had ended
    assert update_of(model) > 0
    process = start(corpus, model)
    assert process.wait() == 0, process.communicate()
    process.communicate()
    assert content(model) == {
        name: data.replace(b'"checkpoint_updates": 1000', b'"checkpoint_updates": 12')
        for name, data in content(uninterrupted).items()
    }
    assert losses(model) == losses(uninterrupted)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_saves_and_says_how_to_go_on(corpus, uninterrupted, tmp_path, number):
    model = tmp_path / "a model"
    process = start(corpus, model)
    wait_for(process, model, 36)
    process.send_signal(number)
    out, err = process.communicate()
    assert process.returncode == 128 + number, err
    assert "interrupted" in out
    told = out.splitlines()[-1]
    assert told.startswith("continue with: cmow train ")
    assert told.count("--resume") == 1
    assert "Traceback" not in err
    assert (model / "model.safetensors").exists()
    assert update_of(model) >= 36
    arguments = shlex.split(told.removeprefix("continue with: cmow "))
    again = [sys.executable, "-m", "cmow", *arguments]
    subprocess.run(again, check=True, capture_output=True, env=ENVIRONMENT)
    assert losses(model) == losses(uninterrupted)


def test_stopped_by_the_clock(corpus, uninterrupted, tmp_path):
    model = tmp_path / "model"
    process = start(corpus, model, "--max-minutes", "0.001")
    out, _ = process.communicate()
    assert process.returncode == 0
    assert "minutes are over" in out
    assert 0 < update_of(model) < UPDATES
    process = start(corpus, model)
    out, _ = process.communicate()
    assert process.returncode == 0
    assert f"{UPDATES} updates are done" in out
    assert losses(model) == losses(uninterrupted)


def test_more_updates_after_the_end(corpus, uninterrupted, tmp_path):
    model = tmp_path / "model"
    line = [*command(corpus, model, max_updates=33), "--keep-run"]
    subprocess.run(line, check=True, capture_output=True, env=ENVIRONMENT)
    assert start(corpus, model).wait() == 0
    assert losses(model) == losses(uninterrupted)
