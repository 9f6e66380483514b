"""Threads or memory run out, and nothing but speed, or one call, is lost."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Linux keeps to such limits")

STACK = 64  # MB of address space that each new thread takes
STARVING = """
import resource
from pathlib import Path

def leave(megabytes):
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    limit = pages * resource.getpagesize() + (megabytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
"""
THREADS = """
import random, sys, threading
import cmow
from cmow.corpus import prepare

def granted():
    end, count = threading.Event(), 0
    try:
        while True:
            threading.Thread(target=end.wait).start()
            count += 1
    except RuntimeError:
        end.set()
        return count

draw = random.Random(0)
texts = [" ".join(draw.choices("abcdefghijklmnop", k=9)) for _ in range(4000)]
prepare(texts, sys.argv[1])
config = cmow.TrainConfig(shape="sum(6)+product(3)", max_updates=20, batch_sentences=64, threads=4)

def results():
    encoder = cmow.train(sys.argv[1], config)
    return [encoder.encode(texts, threads=4), *(part.table for part in encoder.parts)]

before = results()
leave(int(sys.argv[2]))
print(granted())
assert all((one == two).all() for one, two in zip(before, results(), strict=True))
"""
MEMORY = """
from small_runs import native, parameters, random_sentences, sampler

sentences = random_sentences([20] * 5000)
small, large = (sampler(sentences, batch_sentences=size).batch(0, 1) for size in (8, 5000))
trainer = native(parameters("sum(400)"))
before = trainer.loss(small, 1)
leave(16)
try:
    trainer.loss(large, 1)
except MemoryError:
    print("no memory")
assert trainer.loss(small, 1) == before
"""


def output_of(program: str, *arguments: object) -> str:
    """What a program prints that is all right in the end."""
    helpers = Path(__file__).parent.parent / "training"
    limited = ["sh", "-c", f'ulimit -s {STACK << 10} && exec "$@"', "sh"]
    finished = subprocess.run(
        [*limited, sys.executable, "-c", STARVING + program, *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": str(helpers)},
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout.strip()


@pytest.mark.parametrize("threads", [0, 1])
def test_fewer_threads_than_asked_for_give_the_same_bits(tmp_path, threads):
    megabytes = STACK // 2 + threads * STACK
    assert output_of(THREADS, tmp_path / "corpus", megabytes) == str(threads)


def test_memory_that_was_refused_once_is_to_be_had_in_smaller_pieces():
    assert output_of(MEMORY) == "no memory"
