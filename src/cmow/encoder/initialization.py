"""Random tables to start training from."""

from collections.abc import Sequence
from typing import get_args

import numpy as np

from cmow.choices import INITIALIZATION, SIGMA, Initialization
from cmow.encoder.part import Part
from cmow.encoder.shapes import Shape
from cmow.errors import ConfigError

INITIALIZATIONS: tuple[Initialization, ...] = get_args(Initialization)


def initial_parts(
    shape: str | Sequence[tuple[str, int]],
    *,
    words: int,
    initialization: Initialization = INITIALIZATION,
    seed: int = 0,
    sigma: float = SIGMA,
) -> list[Part]:
    """Untrained parts; a row depends on the seed, the part and its index, not on ``words``.

    :param initialization: of matrices: "identity" adds N(0, sigma) to the identity, "glorot" is
        uniform, "normal" is N(0, sigma). Vectors are N(0, sigma), always.
    """
    if initialization not in INITIALIZATIONS:
        raise ConfigError(
            f"unknown initialization {initialization!r}: choose from {', '.join(INITIALIZATIONS)}"
        )
    if not 0 <= sigma < float("inf"):
        raise ConfigError(f"sigma must be a positive number, not {sigma}")
    if not 0 <= seed < 2**64:
        raise ConfigError(f"seed must lie between 0 and 2^64 - 1, not {seed}")
    parsed = Shape.parse(shape)
    parts = []
    for number, (name, part) in enumerate(zip(parsed.names, parsed, strict=True)):
        generator = np.random.Generator(np.random.Philox(key=np.array([seed, number], np.uint64)))
        table = part.monoid.start(
            words, initialization=initialization, sigma=sigma, generator=generator
        )
        parts.append(Part(name, part, table))
    return parts
