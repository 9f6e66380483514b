"""Texts with their words in another order: what a teacher knows of order is in the difference."""

from itertools import pairwise
from typing import Literal, get_args

import numpy as np

Reordering = Literal["neighbors", "arguments", "words"]
REORDERINGS: tuple[Reordering, ...] = get_args(Reordering)

SHORTEST_ARGUMENT = 4  # letters: shorter words are rarely nouns or verbs


def draw_twin(text: str, *, seed: int, number: int) -> tuple[str, Reordering] | None:
    """The text in another order, and what was done to it; None if there is nothing to reorder.

    Everything follows from the seed and the text's number.
    """
    generator = np.random.Generator(np.random.Philox(key=np.array([seed, number], np.uint64)))
    first = int(generator.integers(len(REORDERINGS)))
    for kind in (*REORDERINGS[first:], *REORDERINGS[:first]):
        twin = reorder(text, kind, generator)
        if twin is not None:
            return twin, kind
    return None


def reorder(text: str, kind: Reordering, generator: np.random.Generator) -> str | None:
    """The text with two neighbors exchanged, two long words exchanged, or all words shuffled."""
    words = text.split()
    places = [place for place, word in enumerate(words) if any(map(str.isalpha, word))]
    if kind == "words":
        return _shuffled(words, places, generator)
    if kind == "neighbors":
        pairs = [(a, b) for a, b in pairwise(places) if b == a + 1]
    else:
        long = [place for place in places if len(words[place]) >= SHORTEST_ARGUMENT]
        pairs = [(a, b) for index, a in enumerate(long) for b in long[index + 1 :] if b > a + 1]
    pairs = [(a, b) for a, b in pairs if words[a].lower() != words[b].lower()]
    if not pairs:
        return None
    a, b = pairs[int(generator.integers(len(pairs)))]
    words[a], words[b] = words[b], words[a]
    return " ".join(words)


def _shuffled(words: list[str], places: list[int], generator: np.random.Generator) -> str | None:
    order = generator.permutation(len(places))
    shuffled = list(words)
    for place, source in zip(places, order, strict=True):
        shuffled[place] = words[places[source]]
    return " ".join(shuffled) if shuffled != words else None
