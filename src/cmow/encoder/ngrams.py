"""Which n-grams to keep ready-made products of.

Chosen n-grams form a tree: each extends a word or a shorter chosen n-gram by one word. Texts are
read greedily, the longest chosen n-gram first, so that each step down the tree that a text takes
saves one multiplication, and each n-gram of the tree costs the same memory: one matrix a part.
The best tree within a budget is therefore the most travelled one.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from cmow.arrays import Booleans, Floats, Int32s, Int64s

LONGEST = 5
HALVINGS = 2


@dataclass(frozen=True, eq=False)
class Ngrams:
    """Chosen n-grams and their products.

    :param nodes: n-gram ``j`` has the number ``words + j`` and is ``nodes[j, 0]`` (a word, or the
        number of an earlier n-gram) followed by the word ``nodes[j, 1]``.
    :param tables: a product part's name to its products, a row an n-gram.
    """

    nodes: Int32s
    tables: Mapping[str, Floats]

    def __len__(self) -> int:
        return len(self.nodes)


def choose_from_texts(flat: Int32s, offsets: Int64s, *, words: int, most: int) -> Int32s:
    """The tree of at most ``most`` n-grams that saves these texts most multiplications."""
    nodes, levels = _repeated_ngrams(flat, offsets, words)
    steps = _steps(levels, np.ones(len(flat), bool), words, len(nodes))
    # Overlapping n-grams compete for the same words: drop the less travelled half in rounds and
    # read again, so that those that remain win the steps of those that went.
    for halvings in reversed(range(HALVINGS + 1)):
        kept = np.sort(np.argsort(-steps, kind="stable")[: most << halvings])
        kept = kept[steps[kept] > 1]
        nodes, levels = _prune(nodes, levels, kept, words)
        steps = _steps(levels, _greedy_starts(offsets, levels), words, len(nodes))
    return nodes


def choose_from_counts(counts: Mapping[tuple[int, ...], int], *, words: int, most: int) -> Int32s:
    """The tree of at most ``most`` n-grams with the largest counts, and what they extend."""
    steps: dict[tuple[int, ...], int] = {}
    for ngram, count in counts.items():
        for length in range(2, min(len(ngram), LONGEST) + 1):
            prefix = ngram[:length]
            steps[prefix] = max(steps.get(prefix, 0), count)
    ranked = sorted(steps, key=lambda ngram: (-steps[ngram], len(ngram), ngram))
    numbers: dict[tuple[int, ...], int] = {}
    nodes = []
    for number, ngram in enumerate(ranked[:most], start=words):
        nodes.append((numbers.get(ngram[:-1], ngram[0]), ngram[-1]))
        numbers[ngram] = number
    return np.array(nodes, np.int32).reshape(-1, 2)


def spell(nodes: Int32s, *, words: int) -> tuple[Int32s, Int64s]:
    """The words of each n-gram, ragged."""
    spellings: list[list[int]] = []
    for parent, word in nodes.tolist():
        start = [parent] if parent < words else spellings[parent - words]
        spellings.append([*start, word])
    offsets = np.cumsum([0, *map(len, spellings)], dtype=np.int64)
    return np.array([word for words in spellings for word in words], np.int32), offsets


def _repeated_ngrams(flat: Int32s, offsets: Int64s, words: int) -> tuple[Int32s, list[Int32s]]:
    """All n-grams that occur twice, and for each length the number of the one at each position."""
    ends = np.repeat(offsets[1:], np.diff(offsets))
    nodes, levels = [np.zeros((0, 2), np.int32)], []
    number, current = words, flat
    for length in range(2, LONGEST + 1):
        last = np.arange(len(flat)) + (length - 1)
        starts = np.flatnonzero((last < ends) & (current >= 0))
        keys = current[starts].astype(np.int64) * words + flat[starts + (length - 1)]
        unique, which, counts = np.unique(keys, return_inverse=True, return_counts=True)
        repeated = counts > 1
        numbers = np.where(repeated, number - 1 + np.cumsum(repeated), -1).astype(np.int32)
        current = np.full(len(flat), -1, np.int32)
        current[starts] = numbers[which]
        number += int(repeated.sum())
        nodes.append(np.stack(np.divmod(unique[repeated], words), axis=1).astype(np.int32))
        levels.append(current)
    return np.concatenate(nodes), levels


def _prune(
    nodes: Int32s, levels: list[Int32s], kept: Int64s, words: int
) -> tuple[Int32s, list[Int32s]]:
    # The last entry stays -1 for "no n-gram here", which is the index -1.
    renumbered = np.full(words + len(nodes) + 1, -1, np.int32)
    renumbered[:words] = np.arange(words)
    renumbered[words + kept] = words + np.arange(len(kept))
    return np.stack([renumbered[nodes[kept, 0]], nodes[kept, 1]], axis=1), [
        renumbered[level] for level in levels
    ]


def _steps(levels: list[Int32s], starts: Booleans, words: int, count: int) -> Int64s:
    """How often each n-gram is passed when matching begins at the given positions."""
    passed = np.concatenate([level[starts & (level >= 0)] for level in levels])
    return np.bincount(passed - words, minlength=count)


def _greedy_starts(offsets: Int64s, levels: list[Int32s]) -> Booleans:
    """The positions where a greedy reading of the texts begins a new n-gram or word."""
    starts = np.zeros(len(levels[0]), bool)
    lengths = 1 + (np.stack(levels) >= 0).sum(axis=0)
    positions, ends = offsets[:-1], offsets[1:]
    while len(positions):
        unfinished = positions < ends
        positions, ends = positions[unfinished], ends[unfinished]
        starts[positions] = True
        positions = positions + lengths[positions]
    return starts
