"""The two passes through a text: count the words, then write the ids."""

from collections.abc import Iterable
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

import numpy as np

from cmow.arrays import Int32s, Int64s
from cmow.corpus.parallel import in_order
from cmow.corpus.progress import Tracker
from cmow.corpus.readers import Block
from cmow.corpus.shards import ShardWriter
from cmow.text import Tokenizer, WordCounter

# A window needs a word to predict and at least one to predict it from.
LEAST_WORDS = 2


def count_words(
    blocks: Iterable[Block], kind: str, lowercase: bool, *, threads: int, tracker: Tracker
) -> WordCounter:
    """Count the words of all lines.

    :param kind: how lines are split, words or whitespace
    """
    counters = [WordCounter(kind, lowercase) for _ in range(threads)]
    idle: SimpleQueue[WordCounter] = SimpleQueue()
    for counter in counters:
        idle.put(counter)

    def count(block: Block) -> int:
        counter = idle.get()
        try:
            counter.add_lines(block.data)
        finally:
            idle.put(counter)  # or the other threads would wait for it
        return block.read

    for read in in_order(count, blocks, threads=threads):
        tracker.advance(read)
    for other in counters[1:]:
        counters[0].merge(other)
    return counters[0]


class _Ids(NamedTuple):
    """One block's share."""

    flat: Int32s  # of the sentences that are kept
    lengths: Int64s  # of the sentences that are kept
    counts: Int64s  # of each known word, in all lines
    lines: int
    unknown: int
    read: int


class Written(NamedTuple):
    """What the second pass has found."""

    lines: int
    sentences: int
    tokens: int
    unknown: int
    counts: Int64s


def write_ids(
    blocks: Iterable[Block], tokenizer: Tokenizer, folder: Path, *, threads: int, tracker: Tracker
) -> Written:
    """Write the ids of all lines that have at least two known words."""

    def ids_of(block: Block) -> _Ids:
        flat, offsets, unknown = tokenizer.ids_of_lines(block.data)
        lengths = np.diff(offsets)
        counts = np.bincount(flat, minlength=len(tokenizer.vocabulary))
        kept = lengths >= LEAST_WORDS
        flat = flat[np.repeat(kept, lengths)]
        return _Ids(flat, lengths[kept], counts, len(lengths), unknown, block.read)

    lines = unknown = 0
    counts = np.zeros(len(tokenizer.vocabulary), np.int64)
    with ShardWriter(folder) as writer:
        for ids in in_order(ids_of, blocks, threads=threads):
            writer.add(ids.flat, ids.lengths)
            lines += ids.lines
            unknown += ids.unknown
            counts += ids.counts
            tracker.advance(ids.read)
    return Written(lines, writer.sentences, writer.tokens, unknown, counts)
