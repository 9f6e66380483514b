"""Makes the triples of the benchmark, always the same ones."""

import re
from collections.abc import Mapping
from random import Random
from typing import NamedTuple

from cmow.evaluation.triples.kinds import KINDS, Frame, Template
from cmow.evaluation.triples.lexicon import Row, Split, half

EACH = 500  # of a kind and split
SEED = 1699


class Triple(NamedTuple):
    """Three sentences.

    :param rewording: means what the anchor does
    :param reordering: the words of the rewording in an order that means something else
    :param kept: whether anchor and rewording name things in the same order
    """

    kind: str
    anchor: str
    rewording: str
    reordering: str
    kept: bool

    @property
    def sentences(self) -> tuple[str, str, str]:
        """All three."""
        return self.anchor, self.rewording, self.reordering


def triples(split: Split) -> list[Triple]:
    """Those of a split, kind by kind; apart from the templates' own words, splits share none."""
    return [triple for kind in KINDS for triple in _of_kind(kind, split)]


def _of_kind(kind: str, split: Split) -> list[Triple]:
    random = Random(f"{SEED} {kind} {split}")
    found: dict[str, Triple] = {}
    ways = [
        (frame, template, template in frame.kept)
        for frame in KINDS[kind]
        for template in (*frame.kept, *frame.turned)
    ]
    while len(found) < EACH:
        frame, template, kept = ways[len(found) % len(ways)]
        drawn = _drawn(frame, split, random)
        opening = random.choice(frame.openings)
        anchor, *others = (
            _with_articles(opening + sentence.format(**words))
            for sentence, words in _sentences(frame, template, drawn)
        )
        found.setdefault(f"{anchor}|{others[0]}", Triple(kind, anchor, others[0], others[1], kept))
    return list(found.values())


def _sentences(
    frame: Frame, template: Template, drawn: dict[str, Row]
) -> list[tuple[str, dict[str, str]]]:
    """The three templates, and the words that each is filled with."""
    plain = _by_letter(drawn)
    if isinstance(template, tuple):
        return [(frame.anchor, plain), (template[0], plain), (template[1], plain)]
    exchanged = dict(drawn)
    for one, other in frame.exchange:
        exchanged[one], exchanged[other] = drawn[other], drawn[one]
    return [(frame.anchor, plain), (template, plain), (template, _by_letter(exchanged))]


def _drawn(frame: Frame, split: Split, random: Random) -> dict[str, Row]:
    """A row of words for each letter, different ones for letters of the same list."""
    drawn: dict[str, Row] = {}
    for letter, entries in frame.words.items():
        taken = [drawn[other] for other in drawn if frame.words[other] is entries]
        free = [row for row in half(entries, split) if row not in taken]
        drawn[letter] = random.choice(free)
    return drawn


def _with_articles(sentence: str) -> str:
    return re.sub(r"\ba (?=[aeiou])", "an ", sentence)


def _by_letter(drawn: Mapping[str, Row]) -> dict[str, str]:
    """The words of templates: ``a``, the second word of its row ``A``, the third ``aa``."""
    words: dict[str, str] = {}
    for letter, row in drawn.items():
        words.update(zip((letter, letter.upper(), 2 * letter), row, strict=False))
    return words
