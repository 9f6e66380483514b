"""One model out of several that were trained on other shares of the same texts."""

from collections.abc import Mapping

import numpy as np

from cmow.arrays import Floats
from cmow.encoder import Encoder, Part
from cmow.training import Outcome


class Average:
    """The mean of tables that have learned from the same start.

    They stay close enough for their mean to know what all of them know, and it is no larger and
    no slower than any one of them.
    """

    def __init__(self) -> None:
        self.count = 0
        self._rows: list[Floats] = []
        self._own: dict[str, Floats] = {}

    def add(self, outcome: Outcome) -> None:
        """Count one more, which has the words of the others."""
        rows = [part.rows() for part in outcome.encoder.parts]
        self.count += 1
        if self.count == 1:
            self._rows = rows
            self._own = {name: table.copy() for name, table in outcome.output.items()}
            return
        for mean, table in zip(self._rows, rows, strict=True):
            _approach(mean, table, self.count)
        for name, mean in self._own.items():
            _approach(mean, outcome.output[name], self.count)

    def of(self, encoder: Encoder) -> tuple[Encoder, Mapping[str, Floats]]:
        """The mean, shaped as one of them, and its head."""
        parts = [
            Part(part.name, part.shape, rows)
            for part, rows in zip(encoder.parts, self._rows, strict=True)
        ]
        return Encoder(encoder.tokenizer, parts, training=encoder.training), self._own


def _approach(mean: Floats, table: Floats, count: int) -> None:
    mean += (table - mean) / np.float32(count)
