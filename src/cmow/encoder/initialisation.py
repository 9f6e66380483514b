"""Random tables to start training from."""

from collections.abc import Sequence
from typing import get_args

import numpy as np

from cmow.arrays import Floats
from cmow.choices import INITIALISATION, SIGMA, Initialisation
from cmow.encoder.monoids import Monoid, monoid
from cmow.encoder.parts import Part
from cmow.encoder.shapes import Shape
from cmow.errors import ConfigError

INITIALISATIONS: tuple[Initialisation, ...] = get_args(Initialisation)


def initial_parts(
    shape: str | Sequence[tuple[str, int]],
    *,
    words: int,
    initialisation: Initialisation = INITIALISATION,
    seed: int = 0,
    sigma: float = SIGMA,
) -> list[Part]:
    """Untrained parts; a row depends on the seed, the part and its index, not on ``words``.

    :param initialisation: of products: "identity" adds N(0, sigma) to the identity, "glorot" is
        uniform, "normal" is N(0, sigma). Sums are N(0, sigma), always.
    """
    if initialisation not in INITIALISATIONS:
        raise ConfigError(
            f"unknown initialisation {initialisation!r}: choose from {', '.join(INITIALISATIONS)}"
        )
    if not 0 <= sigma < float("inf"):
        raise ConfigError(f"sigma must be a positive number, not {sigma}")
    if not 0 <= seed < 2**64:
        raise ConfigError(f"seed must lie between 0 and 2^64 - 1, not {seed}")
    shape = Shape.parse(shape)
    parts = []
    for number, (name, (composition, size)) in enumerate(zip(shape.names, shape, strict=True)):
        generator = np.random.Generator(np.random.Philox(key=np.array([seed, number], np.uint64)))
        kind = initialisation if composition == "product" else "normal"
        table = _table(kind, monoid(composition, size), words, sigma, generator)
        parts.append(Part(name, composition, size, table))
    return parts


def _table(
    initialisation: Initialisation,
    of: Monoid,
    words: int,
    sigma: float,
    generator: np.random.Generator,
) -> Floats:
    # Numbers are drawn row by row, so that a larger vocabulary begins with the same rows.
    if initialisation == "glorot":
        # The original code takes the whole row for a layer (fan in = fan out = d²), not the
        # matrix (d): only so do the values vanish with the length as the paper's figure shows.
        bound = np.float32(np.sqrt(6 / (of.width + of.width)))
        uniform: Floats = bound * (2 * generator.random((words, of.width), np.float32) - 1)
        return uniform
    table = generator.standard_normal((words, of.width), np.float32)
    table *= np.float32(sigma)
    if initialisation == "identity":
        table += of.neutral()
    return table
