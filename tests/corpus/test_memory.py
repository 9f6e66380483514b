"""Memory does not grow with the corpus."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import re, sys
from pathlib import Path
from cmow.corpus import PrepareSettings, prepare

corpus = prepare("-", sys.argv[1], PrepareSettings(tokenizer="whitespace"), threads=2)
peak = re.search(r"VmHWM:\\s*(\\d+) kB", Path("/proc/self/status").read_text())
print(corpus.tokens, peak[1])
"""


def peak_memory(folder: Path, megabytes: int) -> int:
    """MB at most in use while a stream of generated text is prepared."""
    draw = random.Random(0)
    words = [f"word{number}" for number in range(20_000)]
    lines = (" ".join(draw.choices(words, k=20)) + "\n" for _ in range(5200))
    megabyte = "".join(lines).encode()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        for _ in range(megabytes):
            process.stdin.write(megabyte)
        output, _ = process.communicate()
    tokens, kilobytes = map(int, output.split())
    assert tokens == megabytes * 5200 * 20
    return kilobytes // 1024


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="asks Linux for its peak")
def test_ten_times_the_text_needs_no_more_memory(tmp_path: Path) -> None:
    small, large = peak_memory(tmp_path / "small", 4), peak_memory(tmp_path / "large", 40)
    assert large < small + 15
