"""Several processes with a part of the batch each agree with one that has all of it."""

import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from language import ENVIRONMENT, SETTINGS, command, losses, write_text

from cmow import TrainConfig, train

TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
CHANGES = {
    "engine": "torch",
    "device": "cpu",
    "batch_sentences": 15,  # the halves differ
    "max_updates": 40,
}


@pytest.fixture
def corpus(tmp_path) -> Path:
    return write_text(tmp_path / "corpus.txt")


def start(line: list[str], **environment: str) -> subprocess.Popen:
    return subprocess.Popen(
        line,
        env={**ENVIRONMENT, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def check(corpus: Path, two: Path, **changes: Any) -> None:
    """Compare with the same run of a single process."""
    one = two.with_name("one")
    train(corpus, TrainConfig(**{**SETTINGS, **CHANGES, **changes}), folder=one)
    for first, second in zip(losses(one), losses(two), strict=True):
        assert first == pytest.approx(second, rel=1e-4)
    assert losses(one)[-1]["validation_loss"] < losses(one)[0]["training_loss"]


def test_torchrun(corpus, tmp_path):
    line = command(corpus, tmp_path / "two", **CHANGES)
    process = start([*TORCHRUN, *line[line.index("-m") :]])
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert out.count("updates are done") == 1  # one process speaks for both
    check(corpus, tmp_path / "two")


def test_lazy_adam_and_shared_negatives(corpus, tmp_path):
    changes = {"adam": "lazy", "share_negatives": "sentence"}
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    # The processes find each other as those of torchrun do.
    address = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    line = command(corpus, tmp_path / "two", **CHANGES, **changes)
    processes = [start(line, RANK=str(rank), **address) for rank in range(2)]
    for process in processes:
        _, err = process.communicate()
        assert process.returncode == 0, err
    check(corpus, tmp_path / "two", **changes)


def test_the_native_engine_refuses_company(corpus, tmp_path):
    process = start(command(corpus, tmp_path / "model"), WORLD_SIZE="2")
    assert process.communicate()[1] == (
        "cmow: 2 processes cannot train with engine native: set engine to torch\n"
    )
    assert process.returncode == 2
