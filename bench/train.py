"""Training speed: the native update against the original's formulation in PyTorch, in one run.

    python bench/train.py [--quick]

Writes results/train.json, results/train.md and results/train.png. Needs torch and matplotlib.
"""

import argparse
import resource
from typing import Any

import numpy as np
import torch
from measuring import (
    OURS,
    VOCABULARY,
    Rate,
    best_rate,
    machine,
    plot_curves,
    table,
    write_results,
    zipf_ids,
)
from original import Original

from cmow import _core
from cmow.encoder import Encoder
from cmow.text import Vocabulary

SHAPES = (OURS, "hybrid-800", "cmow-784", "cmow-400", "cbow-784")
NEGATIVES = 20
WINDOW = 5
THREADS = 2


def synthetic_corpus(sentences: int, *, vocabulary: int = VOCABULARY) -> tuple[Any, Any]:
    """Ids of Zipf-like sentences with the lengths that the paper's corpus has."""
    rng = np.random.default_rng(0)
    lengths = np.clip(rng.normal(24.8, 14.6, sentences).astype(np.int64), 2, 120)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    return zipf_ids(rng, int(offsets[-1]), vocabulary=vocabulary), offsets


def sampler(flat: Any, offsets: Any, *, vocabulary: int, share: bool) -> _core.Sampler:
    """Batches as in the paper."""
    counts = np.bincount(flat, minlength=vocabulary).astype(np.float64) + 1
    return _core.Sampler(
        flat, offsets, counts**0.75, None, 1, 1024, 30, WINDOW, NEGATIVES, True, share, 1024
    )


def native(shape: str, vocabulary: int = VOCABULARY) -> _core.Trainer:
    """A trainer of a fresh encoder."""
    words = Vocabulary([f"w{i}" for i in range(vocabulary)])
    parts = Encoder.initialize(words, shape).parts
    width = sum(part.width for part in parts)
    output = _core.TrainedTable(*(np.zeros((vocabulary, width), np.float32) for _ in range(3)))
    trainer = _core.Trainer(_core.negative_sampling(output, mean_negatives=False), lazy=False)
    for part in parts:
        rows, monoid = part.rows(), part.monoid
        table = _core.TrainedTable(rows, np.zeros_like(rows), np.zeros_like(rows))
        trainer.add_part(monoid.kind, monoid.size, monoid.constants(), False, table, rate=1.0)
    return trainer


def native_rate(
    shape: str, corpus: Any, *, share: bool, threads: int, vocabulary: int = VOCABULARY
) -> Rate:
    """Windows a second of whole updates, sampling included."""
    draws = sampler(*corpus, vocabulary=vocabulary, share=share)
    trainer = native(shape, vocabulary)
    batches, done = range(3), 0

    def work() -> None:
        nonlocal done
        for number in batches:
            done += 1
            trainer.step(draws.batch(number, threads), done, 3e-4, threads)

    return best_rate(work, sum(len(draws.batch(number, threads)) for number in batches))


def original_rate(shape: str, corpus: Any, *, threads: int) -> Rate:
    """Windows a second of the original's formulation, on the same batches."""
    torch.set_num_threads(threads)
    draws = sampler(*corpus, vocabulary=VOCABULARY, share=False)
    words = Vocabulary([f"w{i}" for i in range(VOCABULARY)])
    model = Original(Encoder.initialize(words, shape).parts, window=WINDOW)
    batch = draws.batch(0, threads)
    tensors = model.tensors(batch)
    return best_rate(lambda: model.step(*tensors), len(batch), tries=2)


def products_of(batch: _core.Batch) -> int:
    """Matrix products of a batch's forward pass, shared as the native update shares them."""
    known: set[tuple[int, int]] = set()

    def ranges(begin: int, end: int) -> int:
        if end - begin < 2 or (begin, end) in known:
            return 0
        known.add((begin, end))
        half = 1 << (end - begin - 1).bit_length() - 1
        return 1 + ranges(begin, begin + half) + ranges(begin + half, end)

    count = 0
    for _, low, target, high in batch.windows.tolist():
        count += ranges(low, target) + ranges(target + 1, high)
        count += low < target and target + 1 < high
    return count


def work_of(shape: str, batch: _core.Batch) -> tuple[float, float]:
    """Floating-point operations and least bytes of memory traffic of an update, for each window."""
    words = Vocabulary(["a", "b"])
    parts = Encoder.initialize(words, shape).parts
    products = products_of(batch)
    flops = bytes_moved = 0.0
    for part in parts:
        if part.monoid.has_vectors:
            flops += len(batch) * 2 * 2 * WINDOW * part.width
        else:
            flops += products * 3 * 2 * part.monoid.size**3
    width = sum(part.width for part in parts)
    flops += 3 * 2 * (NEGATIVES + 1) * width * len(batch)
    bytes_moved += 2 * width * VOCABULARY * 4 * 6  # Adam reads and writes rows and both moments
    return flops / len(batch), bytes_moved / len(batch)


def scaling(quick: bool) -> dict[str, dict[str, float]]:
    """Windows a second against threads, matrix size, vocabulary and corpus size."""
    usual = synthetic_corpus(50_000)
    cores = range(1, THREADS + 1)
    sizes = (8, 20, 32) if quick else (4, 8, 12, 16, 20, 24, 28, 32, 40)
    words = (10_000, 30_000) if quick else (3_000, 10_000, 30_000, 60_000)
    lengths = (10_000, 100_000) if quick else (10_000, 100_000, 1_000_000)
    return {
        "threads": {
            str(n): native_rate("hybrid-800", usual, share=True, threads=n).wall for n in cores
        },
        "matrix size": {
            str(d): native_rate(f"product({d})", usual, share=True, threads=THREADS).wall
            for d in sizes
        },
        "vocabulary": {
            str(m): native_rate(
                "hybrid-800",
                synthetic_corpus(50_000, vocabulary=m),
                share=True,
                threads=THREADS,
                vocabulary=m,
            ).wall
            for m in words
        },
        "sentences in the corpus": {
            str(n): native_rate("hybrid-800", synthetic_corpus(n), share=True, threads=THREADS).wall
            for n in lengths
        },
    }


def against_the_original(flops: float, bandwidth: float) -> dict[str, dict[str, float]]:
    """Windows a second of both, by shape and sharing of noise words, beside the machine's peak."""
    corpus = synthetic_corpus(50_000)
    figures = {}
    for shape in SHAPES:
        baseline = original_rate(shape, corpus, threads=THREADS)
        batch = sampler(*corpus, vocabulary=VOCABULARY, share=True).batch(0, THREADS)
        window_flops, window_bytes = work_of(shape, batch)
        for share in (True, False):
            rate = native_rate(shape, corpus, share=share, threads=THREADS)
            name = f"{shape}, negatives per {'sentence' if share else 'window'}"
            figures[name] = {
                "original": baseline.wall,
                "native": rate.wall,
                "ratio": rate.wall / baseline.wall,
                "native per CPU-second": rate.cpu,
                "share of peak FLOP/s": rate.wall * window_flops / flops,
                "share of peak bandwidth": rate.wall * window_bytes / bandwidth,
            }
            print(name, *figures[name].values(), flush=True)
    return figures


def main() -> None:
    """Run everything and write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer points on the curves")
    arguments = parser.parse_args()

    flops, bandwidth = _core.peak_flops(THREADS), _core.peak_bandwidth(THREADS)
    rates = against_the_original(flops, bandwidth)
    peak_memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    curves = scaling(arguments.quick)
    plot_curves(
        "train",
        curves,
        unit=1000,
        label="thousand windows a second",
        log={"matrix size", "vocabulary", "sentences in the corpus"},
    )
    figures: dict[str, Any] = {
        "machine": machine("torch"),
        "threads": THREADS,
        "peak FLOP/s": flops,
        "peak bandwidth": bandwidth,
        "windows per second": rates,
        "scaling": curves,
        "peak memory of this benchmark, MB": peak_memory,
    }
    sections = [
        f"Windows a second of wall-clock time on {THREADS} threads, sampling included: 1,024 "
        f"Zipf-like sentences a batch, vocabulary {VOCABULARY:,}, {NEGATIVES} negatives, window "
        f"{WINDOW}, dense Adam. *Original* is the research code's formulation (look-up, ten "
        "`bmm`, autograd, dense Adam) in PyTorch on the same threads, its sampling not "
        f"counted. The machine's own peak in an ideal loop: {flops / 1e9:.0f} GFLOP/s, "
        f"{bandwidth / 1e9:.1f} GB/s.",
        table(
            [
                "model",
                "original",
                "native",
                "ratio",
                "native per CPU-second",
                "of peak FLOP/s",
                "of peak bandwidth",
            ],
            [[name, *rate.values()] for name, rate in rates.items()],
        ),
        "![Scaling](train.png)",
    ]
    write_results("train", "Training speed", figures, sections)


if __name__ == "__main__":
    main()
