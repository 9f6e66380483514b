"""Memory does not grow with the number of texts."""

import subprocess
import sys
from collections.abc import Iterator

import numpy as np
import pyarrow
import pytest
from processes import CMOW
from pyarrow import ipc, parquet

from cmow.encoder import Encoder
from cmow.text import Vocabulary

LINES = 300_000
DIM = 128
# A process in between: Linux counts the memory of the one that starts another as the other's.
MEASURE = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
sys.exit(code)
"""


def peak_kilobytes(command: list[str], lines: Iterator[bytes]) -> int:
    process = subprocess.Popen(
        [sys.executable, "-c", MEASURE, *command], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    for line in lines:
        process.stdin.write(line)
    out, _ = process.communicate()
    assert process.returncode == 0
    return int(out) // (1024 if sys.platform == "darwin" else 1)


def test_long_stream(tmp_path):
    encoder = Encoder.initialize(Vocabulary(["the", "cat", "saw"]), f"sum({DIM})")
    encoder.save(tmp_path / "model")
    command = [*CMOW, "encode", str(tmp_path / "model"), "-o", str(tmp_path / "x.npy")]
    few = peak_kilobytes(command, (b"the cat saw\n" for _ in range(1000)))
    many = peak_kilobytes(command, (b"the cat saw %d\n" % number for number in range(LINES)))
    embeddings = np.load(tmp_path / "x.npy", mmap_mode="r")
    assert embeddings.shape == (LINES, DIM)
    np.testing.assert_array_equal(embeddings[::99_999], encoder.encode(["the cat saw"] * 4))
    assert many - few < embeddings.nbytes / 1024 / 3


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_long_table(tmp_path, kind):
    encoder = Encoder.initialize(Vocabulary(["the", "cat", "saw"]), f"sum({DIM})")
    encoder.save(tmp_path / "model")

    def peak(rows: int) -> int:
        table = pyarrow.table({"text": ["the cat saw"] * rows, "number": range(rows)})
        if kind == "parquet":
            parquet.write_table(table, tmp_path / "in")
        else:
            with ipc.new_file(tmp_path / "in", table.schema) as writer:
                writer.write_table(table)  # a single batch
        command = [*CMOW, "encode", str(tmp_path / "model"), str(tmp_path / "in")]
        command += ["--column", "text", "-o", str(tmp_path / f"x.{kind}")]
        return peak_kilobytes(command, iter(()))

    few, many = peak(100_000), peak(3 * LINES)
    grown = (3 * LINES - 100_000) * DIM * 4 / 1024
    assert many - few < grown / 5
