"""One model out of several: the mean of their tables, or one beside the other."""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from cmow.arrays import Floats
from cmow.encoder import Encoder, Part
from cmow.training import BIAS, HEAD


class Fitted(NamedTuple):
    """An encoder, and the tables of its head."""

    encoder: Encoder
    tables: Mapping[str, Floats]


def side_by_side(one: Fitted, other: Fitted, share: float, *, pairs: bool) -> Fitted:
    """One model whose scores are the weighted mean of two models', which have the same words.

    What was trained for itself errs in its own way. Trained together, the first to tell the labels
    would leave the other nothing to learn.

    :param share: of the first one's scores
    """
    models, shares = (one, other), np.array([share, 1 - share], np.float32)
    heads = [weight * model.tables[HEAD] for weight, model in zip(shares, models, strict=True)]
    if pairs:  # their columns are those of |u - v|, and then of u * v
        heads = [
            half for of_one in (0, 1) for half in (np.hsplit(head, 2)[of_one] for head in heads)
        ]
    return Fitted(
        Encoder.concatenate(one.encoder, other.encoder),
        {
            HEAD: np.concatenate(heads, axis=1),
            BIAS: shares[0] * one.tables[BIAS] + shares[1] * other.tables[BIAS],
        },
    )


class Average:
    """The mean of tables that have learned from the same start.

    They stay close enough for their mean to know what all of them know, and it is no larger and
    no slower than any one of them.
    """

    def __init__(self) -> None:
        self.count = 0
        self._rows: list[Floats] = []
        self._own: dict[str, Floats] = {}

    def add(self, model: Fitted) -> None:
        """Count one more, which has the words of the others."""
        rows = [part.rows() for part in model.encoder.parts]
        self.count += 1
        if self.count == 1:
            self._rows = rows
            self._own = {name: table.copy() for name, table in model.tables.items()}
            return
        for mean, table in zip(self._rows, rows, strict=True):
            _approach(mean, table, self.count)
        for name, mean in self._own.items():
            _approach(mean, model.tables[name], self.count)

    def of(self, encoder: Encoder) -> Fitted:
        """The mean, shaped as one of them."""
        parts = [
            Part(part.name, part.shape, rows)
            for part, rows in zip(encoder.parts, self._rows, strict=True)
        ]
        return Fitted(Encoder(encoder.tokenizer, parts, training=encoder.training), self._own)


def _approach(mean: Floats, table: Floats, count: int) -> None:
    mean += (table - mean) / np.float32(count)
