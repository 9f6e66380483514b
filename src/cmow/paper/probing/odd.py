"""Candidates for the odd man out: a noun or verb in place of another."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from cmow.paper.grammar import Draws
from cmow.paper.probing.allocation import Candidate
from cmow.paper.probing.analysis import Analysis
from cmow.paper.probing.pool import Pool, Source
from cmow.paper.probing.settings import ProbingSettings

ORIGINAL, CHANGED = "O", "C"
TAGS = frozenset(("NN", "NNS", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ"))
TRIES = 300
# Targets are shared out between the splits, so not every candidate finds a place.
RESERVE = 2

Neighbours = dict[tuple[str, str], Counter[str]]  # by the word beside and the tag


def odd_man_out(source: Source) -> list[Candidate]:
    """Sentences that could have a word replaced, and every other one of them so.

    The replacement has the same tag, and its bigrams are about as frequent in the pool. The word in
    question is the target, replaced or not: else a word known as a replacement in one split would
    be a sign of the opposite in another.
    """
    pool, settings, draws = source
    replacements = _Replacements(pool, settings)
    candidates: list[Candidate] = []
    for analysis in draws.shuffled(pool.analyses):
        places = replacements.places(analysis)
        if not places:
            continue
        place = places[draws.below(len(places))]
        words = analysis.words
        replacement = replacements.find(words, analysis.tags.split(" ")[place], place, draws)
        if replacement is None:
            continue
        changed = " ".join([*words[:place], replacement, *words[place + 1 :]])
        if changed in pool:
            continue
        if len(candidates) % 2:
            candidates.append(Candidate(ORIGINAL, analysis.text, words[place]))
        else:
            candidates.append(Candidate(CHANGED, changed, replacement))
        if len(candidates) == 2 * RESERVE * settings.each(2):
            break
    return candidates


class _Replacements:
    """Nouns and verbs of middling frequency and the words that they occur beside."""

    def __init__(self, pool: Pool, settings: ProbingSettings) -> None:
        self.tags = _usual_tags(pool, settings)
        self.after: Neighbours = defaultdict(Counter)
        self.before: Neighbours = defaultdict(Counter)
        for text in pool.texts:
            words = text.split(" ")
            for place in range(1, len(words) - 1):
                tag = self.tags.get(words[place])
                if tag:
                    self.after[words[place - 1], tag][words[place]] += 1
                    self.before[words[place + 1], tag][words[place]] += 1

    def places(self, analysis: Analysis) -> list[int]:
        """Where a sentence has such a word, used as usual, between two others."""
        tags = analysis.tags.split(" ")
        return [
            place
            for place, word in enumerate(analysis.words[:-1])
            if place and self.tags.get(word) == tags[place]
        ]

    def find(self, words: list[str], tag: str, place: int, draws: Draws) -> str | None:
        """Another word that fits there as well as the one that is there."""
        word = words[place]
        after = self.after[words[place - 1], tag]
        before = self.before[words[place + 1], tag]
        for other in _some(list(after if len(after) < len(before) else before), draws):
            fits = _comparable(after[word], after[other]) and _comparable(
                before[word], before[other]
            )
            if fits and other != word:
                return other
        return None


def _usual_tags(pool: Pool, settings: ProbingSettings) -> dict[str, str]:
    """The most frequent tag of each word of middling frequency, if it is a noun's or a verb's."""
    uses: dict[str, Counter[str]] = defaultdict(Counter)
    for analysis in pool.analyses:
        for word, tag in zip(analysis.words, analysis.tags.split(" "), strict=True):
            if word.islower() and word.isalpha():
                uses[word][tag] += 1
    usual = {word: max(tags, key=lambda tag: (tags[tag], tag)) for word, tags in uses.items()}
    return {
        word: tag
        for word, tag in usual.items()
        if tag in TAGS and pool.frequency_within(word, settings.odd_frequencies)
    }


def _some(words: list[str], draws: Draws) -> Iterator[str]:
    """A limited number of the words, from a random place on."""
    start = draws.below(len(words)) if words else 0
    return (words[(start + step) % len(words)] for step in range(min(TRIES, len(words))))


def _comparable(one: int, other: int) -> bool:
    """Whether two counts differ by a factor of two at most."""
    return 0 < max(one, other) <= 2 * min(one, other)
