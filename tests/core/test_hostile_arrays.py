"""Arrays that lie, or that another thread writes to meanwhile, end in an error, not in a crash."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cmow import _core

WORDS = 40
FLAT = np.arange(WORDS, dtype=np.int32)
OFFSETS = np.arange(0, WORDS + 1, 4, dtype=np.int64)
HUGE, LEAST = 2**62, -(2**63)


def sampler(flat: Any = FLAT, offsets: Any = OFFSETS, keep: Any = None) -> _core.Sampler:
    return _core.Sampler(
        flat, offsets, np.ones(WORDS), keep, seed=0, batch_sentences=10, centres=5, window=2,
        negatives=3, random_target=True, share_negatives=True, validation_sentences=0,
    )  # fmt: skip


def changed(array: Any, place: int, value: int) -> Any:
    copy = array.copy()
    copy[place] = value
    return copy


DAMAGED = [
    *((FLAT, changed(OFFSETS, place, value)) for place in (0, 5, 10) for value in (HUGE, LEAST)),
    (FLAT, changed(OFFSETS, 5, 3)),
    (FLAT[:-1], OFFSETS),
    *((changed(FLAT, 20, value), OFFSETS) for value in (WORDS, -1, 2**31 - 1, -(2**31))),
]


@pytest.mark.parametrize(("flat", "offsets"), DAMAGED)
def test_a_sampler_reads_nothing_outside_of_its_arrays(flat, offsets):
    with pytest.raises(RuntimeError, match="of the corpus is damaged"):
        sampler(flat, offsets).batch(0, 1)
    with pytest.raises(RuntimeError, match="of the corpus is damaged"):
        sampler(flat, offsets, np.ones(WORDS, np.float32)).batch(0, 1)


def test_the_first_fault_is_found_on_any_number_of_threads():
    ids = np.zeros(1_000_000, np.int32)
    offsets = np.arange(len(ids))
    for threads in (1, 3):
        assert _core.first_unknown(ids, 1, threads) == -1
        assert _core.first_fallen(offsets, 0, len(ids), threads) == -1
    ids[[300_000, 999_999]] = 1, -1
    offsets[[400_000, 800_000]] = -5, HUGE
    for threads in (1, 3):
        assert _core.first_unknown(ids, 1, threads) == 300_000
        assert _core.first_fallen(offsets, 0, len(ids), threads) == 400_000


def test_offsets_lie_between_the_least_and_the_most():
    for offsets, fault in (([3, 3, 9], -1), ([2, 3], 0), ([4, 10], 1), ([3, 5, 4], 2), ([], -1)):
        assert _core.first_fallen(np.array(offsets, np.int64), 3, 9, 1) == fault
    assert _core.first_unknown(np.zeros(0, np.int32), 0, 1) == -1


def test_chances_of_other_words_are_refused():
    with pytest.raises(ValueError, match="a number for each word"):
        sampler(keep=np.ones(WORDS - 1, np.float32))


def run(program: str) -> None:
    """Run a program that may crash."""
    helpers = Path(__file__).parent.parent / "training"
    finished = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(helpers)},
        capture_output=True,
        text=True,
    )
    assert finished.returncode == 0, finished.stderr


def test_ids_may_be_written_to_while_they_are_encoded():
    run("""
import threading
import numpy as np
from cmow.encoder import Encoder
from cmow.text import Tokenizer, Vocabulary

words = Vocabulary([f"w{number}" for number in range(100)])
encoder = Encoder.initialize(Tokenizer.whitespace(words), "sum(64)", seed=0)
ids, offsets = np.zeros(1_000_000, np.int32), np.arange(0, 1_000_001, 1000)
ended = threading.Event()

def write():
    while not ended.is_set():
        ids[-1] = 2**31 - 1
        ids[-1] = 0

writer = threading.Thread(target=write)
writer.start()
encoded = 0
while encoded < 40:
    try:
        assert np.isfinite(encoder.encode_ids(ids, offsets, threads=2)).all()
        encoded += 1
    except IndexError:
        pass
ended.set()
writer.join()
""")


def test_a_trainer_works_for_one_thread_at_a_time():
    run("""
from concurrent.futures import ThreadPoolExecutor
from small_runs import native, parameters, random_sentences, sampler

sentences = random_sentences([20] * 200)
drawn = [sampler(sentences, batch_sentences=size).batch(0, 1) for size in (200, 3, 90, 1)]
trainer = native(parameters("sum(20)+product(4)"))
alone = [trainer.loss(batch, 1) for batch in drawn]
with ThreadPoolExecutor(4) as pool:
    for _ in range(50):
        assert list(pool.map(lambda batch: trainer.loss(batch, 2), drawn)) == alone
    list(pool.map(lambda number: trainer.step(drawn[number % 4], number, 0.001, 2), range(200)))
""")


def table(rows: int, width: int) -> _core.TrainedTable:
    return _core.TrainedTable(*(np.zeros((rows, width), np.float32) for _ in range(3)))


def trainer(*, words: int = WORDS, output: int = WORDS, width: int = 6) -> _core.Trainer:
    made = _core.Trainer(_core.negative_sampling(table(output, width), False), lazy=False)
    made.add_part("sum", 6, np.zeros(0, np.float32), False, table(words, 6), 1.0)
    return made


@pytest.mark.parametrize(
    ("lacking", "message"),
    [
        ({"words": WORDS - 1}, "words that the tables lack"),
        ({"output": WORDS - 1}, "words that the output table lacks"),
        ({"width": 5}, "as wide as the parts together"),
    ],
)
def test_a_trainer_refuses_tables_that_are_too_small(lacking, message):
    with pytest.raises(IndexError, match=message):
        trainer(**lacking).step(sampler().batch(0, 1), 0, 0.1, 1)


@pytest.mark.parametrize("shape", [(WORDS - 1, 6), (WORDS, 5), (0, 0)])
def test_gradients_are_not_written_beyond_their_arrays(shape):
    fits = np.zeros((WORDS, 6), np.float32)
    for out in ([np.zeros(shape, np.float32), fits], [fits, np.zeros(shape, np.float32)], [fits]):
        with pytest.raises(ValueError, match=r"arrays must have the tables' shapes|one array for"):
            trainer().gradients(sampler().batch(0, 1), out, 1)
