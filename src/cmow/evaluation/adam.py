"""Adam as torch has it, in float32."""

from collections.abc import Sequence

import numpy as np

from cmow.arrays import Doubles, Floats

RATE, DECAYS, EPSILON = 1e-3, (0.9, 0.999), 1e-8


class Adam:
    """Parameters and their moments."""

    def __init__(self, parameters: Sequence[Floats]) -> None:
        self.parameters = list(parameters)
        self.means = [np.zeros_like(array) for array in parameters]
        self.squares = [np.zeros_like(array) for array in parameters]

    def step(self, gradients: Sequence[Floats], steps: int | Doubles) -> None:
        """Move the first rows of each array, as many as it has gradients.

        :param steps: how many there were, this one included; an array if rows have had their own
        """
        first, second = (1 - decay**steps for decay in DECAYS)
        rate, correction = (np.asarray(value, np.float32) for value in (RATE / first, second))
        for *arrays, gradient in zip(
            self.parameters, self.means, self.squares, gradients, strict=True
        ):
            weight, mean, square = (array[: len(gradient)] for array in arrays)
            mean += (1 - DECAYS[0]) * (gradient - mean)
            square += (1 - DECAYS[1]) * (np.square(gradient) - square)
            weight -= rate * mean / (np.sqrt(square / correction) + EPSILON)

    def keep(self, rows: Sequence[int]) -> None:
        """Forget all rows but these."""
        for arrays in (self.parameters, self.means, self.squares):
            arrays[:] = [array[rows] for array in arrays]
