"""The exercise of the demo: who did it to whom?"""

from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow.encoder import Encoder

VERBS = ("chased", "hugged", "scratched", "fed", "calmed", "nudged")
# Those of the house and those of the farm, to learn from and to be asked about.
LEARNT = ("dog mother kitten aunt nephew", "farmer horse hen shepherd calf")
ASKED = ("cat puppy baby uncle niece", "cow goat pig donkey lamb")
EXAMPLE = "the dog chased the farmer", "the farmer chased the dog"
RIDGE = 1e-3  # lest the classifier live on the rounding errors of sums in another order


def accuracy(encoder: Encoder) -> float:
    """How often a linear classifier tells from embeddings which of the two groups did it.

    Every sentence is there in both directions, and the classifier has not seen any of the nouns
    that it is asked about.
    """
    sentences, answers = _sentences(*LEARNT)
    embeddings = _embeddings(encoder, sentences)
    squares = embeddings.T @ embeddings + RIDGE * np.eye(embeddings.shape[1])
    weights = np.linalg.solve(squares, embeddings.T @ answers)
    sentences, answers = _sentences(*ASKED)
    right = (_embeddings(encoder, sentences) @ weights > 0) == (answers > 0)
    return float(right.mean())


def _sentences(house: str, farm: str) -> tuple[list[str], NDArray[Any]]:
    pairs = list(product(house.split(), VERBS, farm.split()))
    forth = [f"the {one} {verb} the {other} ." for one, verb, other in pairs]
    back = [f"the {other} {verb} the {one} ." for one, verb, other in pairs]
    return forth + back, np.repeat([1.0, -1.0], len(pairs))


def _embeddings(encoder: Encoder, sentences: list[str]) -> NDArray[Any]:
    embeddings = encoder.encode(sentences, normalize="all").astype(np.float64)
    return np.column_stack([embeddings, np.ones(len(sentences))])
