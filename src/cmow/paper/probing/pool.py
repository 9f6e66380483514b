"""The sentences that probing sets are chosen from."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from cmow.paper.grammar import Draws
from cmow.paper.probing.analysis import Analysis
from cmow.paper.probing.settings import ProbingSettings

SHORTEST, LONGEST = 5, 28
QUOTES = frozenset(('"', "``", "''", "“", "”"))
# Words seen less often than this are never too frequent, so that small corpora give something.
FEW = 100


class Pool:
    """Different sentences of 5 to 28 words, some or all of them analyzed."""

    def __init__(self, texts: Sequence[str], analyses: Sequence[Analysis]) -> None:
        self.texts = texts
        self.analyses = analyses

    def __contains__(self, text: str) -> bool:
        return text in self._known

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(self.texts)

    @cached_property
    def counts(self) -> Counter[str]:
        """How often each word occurs."""
        counts: Counter[str] = Counter()
        for text in self.texts:
            counts.update(text.split(" "))
        return counts

    @cached_property
    def size(self) -> int:
        """The number of words."""
        return sum(self.counts.values())

    def frequency_within(self, word: str, limits: tuple[int, int]) -> bool:
        """Whether a word is neither too rare nor too frequent.

        :param limits: occurrences in a million words
        """
        lowest, highest = limits
        millionths = self.counts[word] * 1_000_000
        frequent = millionths > highest * self.size and self.counts[word] >= FEW
        return millionths >= lowest * self.size and not frequent


class Source(NamedTuple):
    """All that a task chooses its candidates from and by."""

    pool: Pool
    settings: ProbingSettings
    draws: Draws


def eligible(texts: Iterable[str]) -> Iterator[str]:
    """The sentences of a length that the tasks use, each once, with single blanks."""
    seen = set()
    for text in texts:
        words = text.split()
        tidy = " ".join(words)
        if SHORTEST <= len(words) <= LONGEST and tidy not in seen:
            seen.add(tidy)
            yield tidy
