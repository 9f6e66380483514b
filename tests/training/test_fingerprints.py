"""The same seed gives the same bits as ever: what was trained before can be trained again.

The fingerprints were recorded before parts and objectives became files of their own. They hold for
one mathematical library, so that other systems skip them.
"""

import hashlib
import json
import platform
from pathlib import Path

import numpy as np
import pytest

from cmow import TrainConfig, load, train
from cmow.encoder.tensors import map_tensors

RECORDED = json.loads(Path(__file__).with_name("fingerprints.json").read_text("utf-8"))

pytestmark = pytest.mark.skipif(
    (platform.machine(), platform.libc_ver()[0]) != ("x86_64", "glibc"),
    reason="recorded with glibc on x86-64",
)

RUNS = {
    "default": {},
    "paper": {"recipe": "paper"},
    "mean": {"shape": "product(7)+sum(33)+product(4)", "negatives_loss": "mean", "sigma": 0.1},
    "center": {"shape": "sum(40)", "target": "center", "subsample": 0.01, "window": 3},
}


def sentences() -> list[str]:
    generator = np.random.Generator(np.random.Philox(7))
    shares = 1 / np.arange(1, 301)
    words = generator.choice(300, 40_000, p=shares / shares.sum())
    ends = np.cumsum(generator.integers(1, 40, 1500))
    return [" ".join(f"w{word}" for word in some) for some in np.split(words, ends) if len(some)]


def digest(*arrays: np.ndarray) -> str:
    sha = hashlib.sha256()
    for array in arrays:
        sha.update(np.ascontiguousarray(array).tobytes())
    return sha.hexdigest()[:16]


def trained(settings, folder: Path) -> Path:
    config = TrainConfig.of(
        {"max_updates": 12, "keep_output": True, "batch_sentences": 64, "threads": 2, **settings}
    )
    train(sentences(), config, folder=folder)
    return folder


def fingerprint(folder: Path) -> str:
    tables, output = map_tensors(folder / "model.safetensors"), folder / "output.safetensors"
    rows = [tables[name] for name in sorted(tables) if name.endswith(".table")]
    return digest(*rows, *map_tensors(output).values())


@pytest.mark.parametrize("name", RUNS)
def test_training_ends_in_the_recorded_bits(name, level, tmp_path):
    assert fingerprint(trained(RUNS[name], tmp_path / "model")) == RECORDED[level][name]


@pytest.mark.parametrize("storage", ["float32", "float16", "int8", "int4"])
def test_encoding_gives_the_recorded_bits(storage, level, tmp_path):
    texts = sentences()
    trained(RUNS["mean"], tmp_path / "model")
    load(tmp_path / "model").save(tmp_path / "stored", storage=storage)
    encoder = load(tmp_path / "stored")
    cached = encoder.with_ngram_cache(texts[:200], megabytes=0.05)
    embeddings = [encoder.encode(texts, normalize=how) for how in (None, "all", "parts")]
    assert digest(*embeddings, cached.encode(texts)) == RECORDED[level][storage]
