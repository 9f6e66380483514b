"""Encoding speed: from ids against the machine's peak, from strings against the peers, in one run.

    python bench/encode.py [--quick]

Writes results/encode.json, results/encode.md and results/encode.png. Needs model2vec, gensim,
fasttext-wheel, sentence-transformers, torch and matplotlib; a peer that is missing is left out.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from fast_encoders import PEERS
from measuring import (
    OURS,
    VOCABULARY,
    best_rate,
    machine,
    plot_curves,
    table,
    write_results,
    zipf_ids,
)

from cmow import Encoder, _core
from cmow.text import Tokenizer, Vocabulary

SHAPES = (OURS, "hybrid-800", "cmow-400", "cmow-784", "cbow-400", "cbow-784")
AGAINST_PEERS = (OURS, "hybrid-800", "cbow-784")
WORDS = 25
SENTENCES = 20_000
BLOCK = 4_096  # sentences encoded at a time from ids, as encode_stream does it
THREADS = 2


def words_of(vocabulary: int = VOCABULARY) -> Vocabulary:
    """Made-up words, shorter where they are more frequent, as in a language."""
    letters = "etaoinshrdlucmfwypvbgkjqxz"

    def spell(rank: int) -> str:
        word = ""
        while rank >= 0:
            rank, letter = divmod(rank, len(letters))
            word += letters[letter]
            rank -= 1
        return word

    return Vocabulary([spell(rank) for rank in range(vocabulary)])


def sentences_of(vocabulary: Vocabulary, count: int) -> list[str]:
    """Sentences of 25 words."""
    words = np.array(vocabulary.words, dtype=object)
    ids = zipf_ids(np.random.default_rng(1), count * WORDS)
    return [" ".join(row) for row in words[ids].reshape(count, WORDS)]


def ids_rate(encoder: Encoder, words: int, *, threads: int, uniform: bool = False) -> Any:
    """Sentences a second from ids."""
    rng = np.random.default_rng(2)
    count = max(BLOCK * WORDS // words, 8)
    size = len(encoder.vocabulary)
    flat = (
        rng.integers(0, size, count * words).astype(np.int32)
        if uniform
        else zipf_ids(rng, count * words, vocabulary=size)
    )
    offsets = np.arange(count + 1, dtype=np.int64) * words
    return best_rate(lambda: encoder.encode_ids(flat, offsets, threads=threads), count, tries=20)


def flops_of(encoder: Encoder) -> float:
    """Floating-point operations for a sentence of 25 words."""
    return float(
        sum(
            WORDS * part.width if part.monoid.has_vectors else (WORDS - 1) * 2 * part.monoid.size**3
            for part in encoder.parts
        )
    )


def from_ids(vocabulary: Vocabulary, flops: float, bandwidth: float) -> dict[str, dict[str, float]]:
    """One core and two, beside the machine's peak."""
    figures = {}
    for shape in SHAPES:
        encoder = Encoder.initialize(vocabulary, shape)
        one, two = (ids_rate(encoder, WORDS, threads=n) for n in (1, THREADS))
        uniform = ids_rate(encoder, WORDS, threads=1, uniform=True)
        traffic = (WORDS + 1) * encoder.dim * 4
        figures[shape] = {
            "one thread, per CPU-second": one.cpu,
            "two threads": two.wall,
            "one thread, all words alike frequent": uniform.cpu,
            "share of peak FLOP/s": one.cpu * flops_of(encoder) / flops,
            "share of peak bandwidth": one.cpu * traffic / bandwidth,
        }
        print(shape, *figures[shape].values(), flush=True)
    return figures


def from_strings(vocabulary: Vocabulary) -> dict[str, dict[str, float]]:
    """cmow and its peers on the same strings, one thread and two."""
    texts = sentences_of(vocabulary, SENTENCES)
    contestants: dict[str, Callable[[int], Callable[[], object]]] = {}
    for shape in AGAINST_PEERS:
        encoder = Encoder.initialize(Tokenizer.whitespace(vocabulary), shape)
        contestants[f"cmow {shape}"] = lambda threads, encoder=encoder: (
            lambda: encoder.encode(texts, threads=threads)
        )
    with tempfile.TemporaryDirectory() as folder:
        for name, make in PEERS.items():
            try:
                encode = make(vocabulary.words, 784, texts, Path(folder))
            except ImportError as missing:
                print(f"{name} is left out: {missing}")
                continue
            contestants[name] = lambda threads, encode=encode: lambda: encode(texts, threads)
        rates = {
            name: [best_rate(work(n), len(texts), tries=3) for n in (1, THREADS)]
            for name, work in contestants.items()
        }
    return {
        name: {"one thread, per CPU-second": one.cpu, "two threads": two.wall}
        | {
            f"{shape} is faster by": rates[f"cmow {shape}"][0].cpu / one.cpu
            for shape in AGAINST_PEERS
        }
        for name, (one, two) in rates.items()
    }


def curves(quick: bool) -> dict[str, dict[str, float]]:
    """Rates against sentence length, matrix size and threads."""
    vocabulary = words_of()
    hybrid = Encoder.initialize(vocabulary, "hybrid-800")
    lengths = (5, 25, 100) if quick else (1, 2, 5, 10, 25, 50, 100, 400, 1600)
    sizes = (8, 20, 32) if quick else (4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 64)
    return {
        "words in a sentence": {str(n): ids_rate(hybrid, n, threads=1).cpu * n for n in lengths},
        "matrix size": {
            str(d): ids_rate(Encoder.initialize(words_of(), f"product({d})"), WORDS, threads=1).cpu
            * WORDS
            for d in sizes
        },
        "threads": {
            str(n): ids_rate(hybrid, WORDS, threads=n).wall * WORDS for n in range(1, THREADS + 1)
        },
    }


def rate_table(first: str, columns: list[str], rates: dict[str, dict[str, float]]) -> str:
    """A line for each encoder."""
    header = [first, "per CPU-second of one core", "two threads, wall clock", *columns]
    return table(header, [[name, *rate.values()] for name, rate in rates.items()])


def main() -> None:
    """Run everything and write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer points on the curves")
    arguments = parser.parse_args()

    vocabulary = words_of()
    flops, bandwidth = _core.peak_flops(1), _core.peak_bandwidth(1)
    by_ids, by_strings = from_ids(vocabulary, flops, bandwidth), from_strings(vocabulary)
    shapes_of_curves = curves(arguments.quick)
    plot_curves(
        "encode",
        shapes_of_curves,
        unit=1e6,
        label="million words a second",
        log={"words in a sentence", "matrix size"},
    )
    figures: dict[str, Any] = {
        "machine": machine(),
        "peak FLOP/s of a core": flops,
        "peak bandwidth of a core": bandwidth,
        "from ids": by_ids,
        "from strings": by_strings,
        "curves": shapes_of_curves,
    }
    sections = [
        f"Sentences of {WORDS} words a second, vocabulary {VOCABULARY:,}, Zipf-like frequencies.",
        "## From ids",
        f"The peak of one core in an ideal loop: {flops / 1e9:.0f} GFLOP/s and "
        f"{bandwidth / 1e9:.1f} GB/s from memory (frequent rows come from the caches, so more than "
        "all of it is possible).",
        rate_table(
            "model", ["all words alike frequent", "of peak FLOP/s", "of peak bandwidth"], by_ids
        ),
        "## From strings, against the peers",
        "White-space tokens of generated words, tokenization included, the same strings for all; "
        "tables without training, the peers' of 784 dimensions. Ratios are of CPU time on one "
        "thread. model2vec, gensim and fastText use one thread in both columns.",
        rate_table(
            "encoder", [f"speed of {shape} as a multiple" for shape in AGAINST_PEERS], by_strings
        ),
        "## Curves",
        "![Words a second against sentence length, matrix size and threads](encode.png)",
    ]
    write_results("encode", "Encoding speed", figures, sections)


if __name__ == "__main__":
    main()
