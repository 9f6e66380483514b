"""Several processes with a part of the batch each agree with one that has all of it.

Once, one of the two processes of `test_lazy_adam_and_shared_negatives` was aborted with "malloc():
unaligned tcache chunk detected": a list of freed memory was damaged. 153 later runs of that pair,
12 of them with the core under AddressSanitizer, showed nothing. What is known since: processes used
to end with gloo's threads at work, because PyTorch kept the group after it was destroyed. One
that let go of a sparse gradient while Python shut down ended its process by SIGABRT or SIGSEGV in 8
of 42 runs of `gradients_of_processes.py`, and in none of 90 since the threads end with the world,
which that program checks. Whether this also damaged the list is not proven. Hence `TRACED`:
glibc fills memory that is freed and checks it, so that misuse shows sooner, Python tells where each
thread stood, and a failure shows what every process left.
"""

import socket
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from language import ENVIRONMENT, SETTINGS, command, losses, write_text

from cmow import TrainConfig, train

TORCHRUN = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
TRACED = {
    "PYTHONFAULTHANDLER": "1",
    "MALLOC_CHECK_": "3",  # say what is wrong, and abort
    "MALLOC_PERTURB_": "165",
    "LD_PRELOAD": "libc_malloc_debug.so.0",  # without which newer versions of glibc check nothing
    "TORCH_SHOW_CPP_STACKTRACES": "1",
}
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


def finished(processes: Sequence[subprocess.Popen]) -> list[str]:
    """What processes have written; if any failed, all that each of them left."""
    # One waits for all at once: none may be held up by a pipe that nobody reads.
    with ThreadPoolExecutor(len(processes)) as threads:
        written = list(threads.map(subprocess.Popen.communicate, processes))
    codes = [process.returncode for process in processes]
    left = [
        f"process {rank} ended with {code}\n{out}\n{err}"
        for rank, (code, (out, err)) in enumerate(zip(codes, written, strict=True))
    ]
    assert not any(codes), "\n".join(left)
    return [out for out, _ in written]


def side_by_side(line: list[str]) -> list[str]:
    """Run a command as two processes that find each other as those of torchrun do."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    address = {"WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port}
    return finished([start(line, RANK=str(rank), **address, **TRACED) for rank in range(2)])


def check(corpus: Path, two: Path, **changes: Any) -> None:
    """Compare with the same run of a single process."""
    one = two.with_name("one")
    train(corpus, TrainConfig(**{**SETTINGS, **CHANGES, **changes}), folder=one)
    for first, second in zip(losses(one), losses(two), strict=True):
        assert first == pytest.approx(second, rel=1e-4)
    assert losses(one)[-1]["validation_loss"] < losses(one)[0]["training_loss"]


def test_torchrun(corpus, tmp_path):
    line = command(corpus, tmp_path / "two", **CHANGES)
    (out,) = finished([start([*TORCHRUN, *line[line.index("-m") :]], **TRACED)])
    assert out.count("updates are done") == 1  # one process speaks for both
    check(corpus, tmp_path / "two")


def test_lazy_adam_and_shared_negatives(corpus, tmp_path):
    changes = {"adam": "lazy", "share_negatives": "sentence"}
    side_by_side(command(corpus, tmp_path / "two", **CHANGES, **changes))
    check(corpus, tmp_path / "two", **changes)


def test_processes_share_one_clock(corpus, tmp_path):
    changes = {**CHANGES, "schedule": "linear", "max_minutes": 0.02}
    del changes["max_updates"]
    told, nothing = side_by_side(command(corpus, tmp_path / "two", **changes))
    assert "0.02 minutes are over" in told
    assert nothing == ""
    last = losses(tmp_path / "two")[-1]
    assert "validation_loss" in last
    assert last["learning_rate"] < SETTINGS["learning_rate"]


@pytest.mark.parametrize("sentences", ["15", "1"])  # the second process has fewer, or none
@pytest.mark.parametrize("adam", ["dense", "lazy"])
def test_the_gradient_is_the_mean_over_the_windows_of_all(tmp_path, adam, sentences):
    program = Path(__file__).with_name("gradients_of_processes.py")
    line = [sys.executable, str(program), adam, sentences]
    finished([start([*line, str(tmp_path / "one.npz")])])
    side_by_side([*line, str(tmp_path / "two.npz")])
    one, two = (np.load(tmp_path / f"{name}.npz") for name in ("one", "two"))
    assert len(one.files) == 4
    for name in one.files:
        assert np.abs(one[name]).max() > 1e-3
        np.testing.assert_allclose(one[name], two[name], rtol=1e-4, atol=1e-7)


def test_the_native_engine_refuses_company(corpus, tmp_path):
    process = start(command(corpus, tmp_path / "model"), WORLD_SIZE="2")
    assert process.communicate()[1] == (
        "cmow: 2 processes cannot train with engine native: set engine to torch, or say after how "
        "many updates they join their tables, as in average_updates = 200\n"
    )
    assert process.returncode == 2
