"""What a cache of frequent n-grams is worth on a real text, by shape and size.

    python bench/cache.py TEXT

TEXT has white-space separated tokens, a sentence a line. Writes results/cache.json and
results/cache.md.
"""

import argparse
from collections import Counter
from itertools import chain, islice
from pathlib import Path
from typing import Any

from measuring import VOCABULARY, best_rate, machine, table, write_results

from cmow import Encoder
from cmow.text import Tokenizer, Vocabulary

SHAPES = ("cmow-400", "cmow-784", "product(64)")
MEGABYTES = (0, 1, 4, 16, 64, 256)
SAMPLE, HELD_OUT = 40_000, 20_000  # sentences that a cache is chosen by, and encoded with it


def rates(sample: list[str], held_out: list[str]) -> list[list[Any]]:
    """Sentences a second on one thread, and how that compares with no cache."""
    counts = Counter(chain.from_iterable(map(str.split, sample)))
    tokenizer = Tokenizer.whitespace(Vocabulary.from_counts(counts, size=VOCABULARY))
    ids = tokenizer.ids(held_out)
    rows: list[list[Any]] = []
    for shape in SHAPES:
        plain = Encoder.initialize(tokenizer, shape)
        for megabytes in MEGABYTES:
            encoder = plain.with_ngram_cache(sample, megabytes=megabytes) if megabytes else plain
            rate = best_rate(
                lambda encoder=encoder: encoder.encode_ids(ids.flat, ids.offsets, threads=1),
                len(held_out),
            ).cpu
            if not megabytes:
                base = rate
            rows.append([shape, megabytes, rate, rate / base])
    return rows


def main() -> None:
    """Measure and write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", type=Path)
    with parser.parse_args().text.open(encoding="utf-8") as lines:
        texts = [line.strip() for line in islice(lines, SAMPLE + HELD_OUT)]
    found = rates(texts[:SAMPLE], texts[SAMPLE:])
    sections = [
        f"Sentences beside the {SAMPLE:,} of the same text that the cache was chosen by, for each "
        "CPU-second of one thread, from ids.",
        table(["model", "megabytes of cache", "sentences a second", "ratio"], found),
    ]
    write_results("cache", "Cached n-grams", {"machine": machine(), "rates": found}, sections)


if __name__ == "__main__":
    main()
