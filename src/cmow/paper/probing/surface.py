"""Candidates for what is on the surface: length and words."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice

from cmow.paper.probing.allocation import Candidate
from cmow.paper.probing.pool import Pool, Source

LONGEST_OF_BIN = (8, 12, 16, 20, 25, 28)
SHORTEST_CONTENT_WORD = 4


def sentence_length(source: Source) -> list[Candidate]:
    """Every sentence, labeled with its bin."""
    return [Candidate(_bin(text.count(" ") + 1), text) for text in source.pool.texts]


def word_content(source: Source) -> list[Candidate]:
    """The sentences with one of the target words, once.

    A thousand targets are words of rank 2,001 and on in the vocabulary, without the fifth that
    fewest sentences have; other numbers of targets come from ranks in proportion.
    """
    pool, count = source.pool, source.settings.content_words
    possible = _words_from(2 * count, count * 5 // 4, pool)
    supply = Counter(candidate.label for candidate in _with_one_of(possible, pool))
    targets = sorted(supply, key=lambda word: (-supply[word], word))[:count]
    return list(_with_one_of(targets, pool)) if len(targets) == count else []


def _bin(length: int) -> str:
    return str(sum(length > longest for longest in LONGEST_OF_BIN))


def _words_from(rank: int, count: int, pool: Pool) -> list[str]:
    ranked = sorted(pool.counts, key=lambda word: (-pool.counts[word], word))
    words = (
        word
        for word in ranked[rank:]
        if word.isalpha() and word.islower() and len(word) >= SHORTEST_CONTENT_WORD
    )
    return list(islice(words, count))


def _with_one_of(targets: Iterable[str], pool: Pool) -> Iterator[Candidate]:
    wanted = frozenset(targets)
    for text in pool.texts:
        found = [word for word in text.split(" ") if word in wanted]
        if len(found) == 1:
            yield Candidate(found[0], text)
