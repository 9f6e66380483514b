import io
from typing import get_args

import numpy as np
import pytest

from cmow.choices import Initialization, Invalid, Normalization, Splitter, Storage
from cmow.cli.formats import make_writer
from cmow.corpus import Batch
from cmow.corpus.encoding import INVALID
from cmow.corpus.settings import SPLITTERS
from cmow.encoder import INITIALIZATIONS, STORAGES
from cmow.encoder.composer import NORMALIZATIONS


def batch(texts):
    return Batch(texts, [{"text": text} for text in texts], "texts", 0)


def names(choice):
    return set(get_args(choice))


def test_choices_are_those_of_the_library():
    assert names(Storage) == set(STORAGES)
    assert names(Initialization) == set(INITIALIZATIONS)
    assert names(Normalization) == set(NORMALIZATIONS) - {None}
    assert names(Invalid) == set(INVALID)
    assert names(Splitter) == set(SPLITTERS)


def test_npy_is_what_numpy_writes():
    rows = np.random.default_rng(0).standard_normal((1000, 3), np.float32)
    ours, numpys = io.BytesIO(), io.BytesIO()
    writer = make_writer("npy", ours, dim=3)
    for block in np.split(rows, 4):
        writer.write(batch([""] * len(block)), block)
    writer.finish()
    np.save(numpys, rows)
    assert ours.getvalue() == numpys.getvalue()


def test_unfinished_npy_is_not_readable():
    file = io.BytesIO()
    make_writer("npy", file, dim=2).write(batch(["", ""]), np.zeros((2, 2), np.float32))
    file.seek(0)
    with pytest.raises(ValueError, match="allow_pickle"):
        np.load(file)


@pytest.mark.parametrize("name", ["tsv", "jsonl"])
def test_text_formats_keep_every_bit(name):
    numbers = np.array([0.1, -1 / 3, 1e-45, 3.4028235e38, -0.0, 16777217], np.float32)
    file = io.BytesIO()
    make_writer(name, file, dim=len(numbers)).write(batch(["a\tb"]), numbers[None])
    line = file.getvalue().decode()
    listed = line.split("[")[-1].rstrip("]}\n").replace(", ", "\t")
    read = np.array(listed.split("\t"), np.float32)
    assert read.tobytes() == numbers.tobytes()
