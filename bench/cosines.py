"""How matrices are to enter a cosine, by development pairs alone.

    python bench/cosines.py MODEL... --data SENTEVAL

Compares the training and development pairs of STS-B and the training pairs of SICK by cosines of
several kinds, with models of parts side by side (such as those that bench/parts.py leaves): no test
score is looked at. Writes results/cosines.json and results/cosines.md.
"""

import argparse
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

import numpy as np
from measuring import machine, table, write_results

from cmow import Encoder, load
from cmow.arrays import Floats
from cmow.encoder.making import ORDER_WEIGHT
from cmow.evaluation import TASKS, DataFolder
from cmow.evaluation.correlation import pearson
from cmow.evaluation.sentences import Pairs
from cmow.evaluation.tasks.benchmark import read_benchmark
from cmow.evaluation.tasks.similarity import cosine

WEIGHTS = (0.25, 0.5, 1.0, 2.0)


def score(encode: Callable[[list[str]], Floats], pairs: list[Pairs]) -> float:
    """The mean of Pearson's correlations, in points."""
    return fmean(
        100 * pearson(cosine(encode(some.first), encode(some.second)), some.values)
        for some in pairs
    )


def weighted(encoder: Encoder, weight: float, *, deviation: bool) -> Callable[[list[str]], Floats]:
    """Embeddings whose matrices count so much, as they are or less the neutral element."""
    weights = np.concatenate(
        [
            np.full(part.width, 1 if part.monoid.commutes else weight, np.float32)
            for part in encoder.parts
        ]
    )
    neutral = encoder.encode("") * np.float32(deviation)
    return lambda texts: (encoder.encode(texts) - neutral) * weights


def scores_of(encoder: Encoder, pairs: list[Pairs]) -> dict[str, float]:
    """What each kind of cosine reaches."""
    order = encoder.order()
    scores = {
        f"{name} × {weight:g}": score(weighted(encoder, weight, deviation=deviation), pairs)
        for name, deviation in (("as they are", False), ("deviation", True))
        for weight in WEIGHTS
    }
    return {
        **scores,
        "each part a unit vector": score(lambda t: encoder.encode(t, normalize="parts"), pairs),
        "vectors alone": score(encoder.bag().encode, pairs),
        "matrices alone, as they are": score(order.encode, pairs),
        "matrices alone, deviation": score(order.comparable().encode, pairs),
        "`similarity`": score(encoder.comparable().encode, pairs),
    }


def cosines_table(found: dict[str, dict[str, float]]) -> str:
    """What each kind of cosine reaches with each model."""
    return table(
        ["cosine of", *found, "mean"],
        [
            [
                kind,
                *(f"{scores[kind]:.1f}" for scores in found.values()),
                f"{fmean(scores[kind] for scores in found.values()):.1f}",
            ]
            for kind in next(iter(found.values()))
        ],
    )


def main() -> None:
    """Compare, and write everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--data", type=Path, action="append", required=True)
    options = parser.parse_args()
    data = DataFolder(options.data)
    training, development, _ = read_benchmark(data)
    pairs = [training, development, TASKS["SICK-R"].read(data)[0]]
    found = {}
    for path in options.models:
        encoder = load(path)
        found[str(encoder.shape)] = scores_of(encoder, pairs)
    sections = [
        "Mean of Pearson's correlations on the training and development pairs of STS-B and the "
        "training pairs of SICK. The numbers of parts that see word order (matrices) enter the "
        "cosine beside the vectors as they are, or by their deviation from the neutral element "
        "(the identity, for products), times a weight. "
        f"`similarity` takes the deviation × {ORDER_WEIGHT:g}.",
        cosines_table(found),
    ]
    write_results(
        "cosines", "Matrices in cosines", {"machine": machine(), "scores": found}, sections
    )


if __name__ == "__main__":
    main()
