"""How far apart a model holds a few sentences."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from cmow.evaluation import distances, unit


class Drawing(NamedTuple):
    """A sentence and others to be told from it, each with a word on what they have in common."""

    sentence: str
    others: list[tuple[str, str]]


def distances_from(drawing: Drawing, model: Any, *, sentences: Sequence[str]) -> list[float]:
    """The distance of each other sentence, in percent of that between neighbors in a list.

    The same words in the same numbers give a bag of words a distance of exactly 0.

    :param sentences: the list
    """
    others = [text for text, _ in drawing.others]
    embeddings = unit(np.asarray(model.encode([drawing.sentence, *others])))
    listed = unit(np.asarray(model.encode(list(sentences))))
    apart = float(distances(listed, np.roll(listed, 1, axis=0)).mean())
    found = distances(embeddings[1:], embeddings[:1])
    return [100 * float(distance) / apart if apart > 0 else 0.0 for distance in found]
