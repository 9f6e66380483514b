"""A program: what a new user does first, with a wheel and nothing else installed."""

import subprocess
import sys
from pathlib import Path

import numpy as np

import cmow
from cmow import _core

CPU = Path("/proc/cpuinfo")


def expected_levels() -> set[str]:
    """What this CPU can do, by the system's word."""
    if not CPU.exists():
        return {"plain"}
    flags = set(CPU.read_text().replace(":", " ").split())
    levels = {"plain"}
    if {"avx2", "fma", "f16c"} <= flags:
        levels.add("avx2")
        if {"avx512f", "avx512dq", "avx512bw", "avx512vl"} <= flags:
            levels.add("avx512")
    return levels | ({"neon"} if "asimd" in flags else set())


def main() -> None:
    """Load, encode, compare, train and use the command line."""
    assert set(_core.levels()) == expected_levels(), (_core.levels(), expected_levels())
    assert "site-packages" in cmow.__file__
    encoder = cmow.load()
    texts = ["the dog chased the cat", "the cat chased the dog"]
    embeddings = encoder.encode(texts)
    assert embeddings.shape == (2, encoder.dim)
    assert np.isfinite(embeddings).all()
    assert not np.array_equal(*embeddings)
    trained = cmow.train([text for text in texts for _ in range(100)], cmow.TrainConfig(
        shape="sum(6)+product(3)", max_updates=3, stop_by="training", validation_share=0
    ))  # fmt: skip
    assert trained.dim == 15
    command = [sys.executable, "-m", "cmow", "encode", "english", "--format", "tsv"]
    lines = "".join(f"{text}\n" for text in texts).encode()
    out = subprocess.run(command, input=lines, capture_output=True, check=True).stdout
    rows = [line.split("\t") for line in out.decode().splitlines()]
    np.testing.assert_array_equal(np.array(rows, np.float32), embeddings)


if __name__ == "__main__":
    main()
