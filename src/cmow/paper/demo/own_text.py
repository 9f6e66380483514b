"""What the model that comes with the package says of a text, before anything is trained."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from cmow.encoder import Encoder
from cmow.evaluation import swap_neighbors
from cmow.paper.demo.english import Answer, Pace, pace
from cmow.search import Index, Member, find_duplicates

ASKED = 2_000  # lines that questions are made of
ASKED_WORDS = range(6, 15)
SHOWN = 3
SHARED = 0.2  # of the words: what has more in common is no surprise
ALIKE = 0.9
ROUNDING = 1e-5


class OrderFound(NamedTuple):
    """How often a sentence's own order was told from another one, in percent, by what was asked."""

    questions: int
    bag: float
    order: float


class Look(NamedTuple):
    """What was found in a text."""

    texts: int
    pace: Pace
    similar: list[Answer]
    duplicates: list[list[Member]]  # by group
    order: OrderFound | None  # unless no line lends itself


def look_at(encoder: Encoder, texts: Sequence[str], folder: Path) -> Look:
    """Search a text, look for what it says twice, and ask for the order of its words.

    :param folder: where the index goes
    """
    speed = pace(encoder, list(texts))
    index = Index.build("english", texts, folder)
    asked = [text for text in texts if len(text.split()) in ASKED_WORDS][:ASKED]
    return Look(
        len(texts), speed, similar_in(index, asked), duplicates_of(encoder, texts),
        order_told(encoder, asked),
    )  # fmt: skip


def similar_in(index: Index, asked: Sequence[str]) -> list[Answer]:
    """The lines that are most like another one, of those that share few words with it."""
    found: list[Answer] = []
    for text, hits in zip(asked, index.search(list(asked), 2) if asked else [], strict=True):
        found += [
            Answer(text, hit.text, hit.score)
            for hit in hits
            if hit.text != text and hit.score < ALIKE and _shared(text, hit.text) < SHARED
        ]
    best: list[Answer] = []
    for answer in sorted(found, key=lambda answer: -answer.cosine):
        told = {text for other in best for text in other[:2]}
        if not told & {answer.question, answer.text}:
            best.append(answer)
    return best[:SHOWN]


def duplicates_of(encoder: Encoder, texts: Sequence[str]) -> list[list[Member]]:
    """Groups of lines that say nearly the same."""
    groups: dict[int, list[Member]] = {}
    for member in find_duplicates(encoder, list(texts), threshold=ALIKE):
        groups.setdefault(member.cluster, []).append(member)
    return list(groups.values())


def order_told(encoder: Encoder, asked: Iterable[str]) -> OrderFound | None:
    """Whether a sentence is nearer to what is left without a word than to that with a swap."""
    triples = [
        (text, shorter, other)
        for text in asked
        for shorter in [_without_longest(text)]
        if (other := swap_neighbors(shorter))
    ]
    if not triples:
        return None
    texts, shorter, swapped = (list(side) for side in zip(*triples, strict=True))
    shares = []
    for order in (0, 1):
        kept, changed = (
            encoder.similarity_pairwise(texts, side, order=order) for side in (shorter, swapped)
        )
        ties = np.abs(kept - changed) <= ROUNDING
        shares.append(100 * float(np.mean(np.where(ties, 0.5, kept > changed))))
    return OrderFound(len(triples), *shares)


def _without_longest(text: str) -> str:
    words = text.split()
    words.remove(max(words, key=len))
    return " ".join(words)


def _shared(one: str, other: str) -> float:
    left, right = set(one.lower().split()), set(other.lower().split())
    return len(left & right) / len(left | right)
