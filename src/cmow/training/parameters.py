"""Everything that training changes: tables and Adam's moments of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from cmow import _core
from cmow.arrays import Floats
from cmow.encoder import Part, PartShape


@dataclass(frozen=True, eq=False)
class Trained:
    """A table, updated in place, and the moments of its gradient."""

    name: str
    table: Floats
    first_moment: Floats
    second_moment: Floats

    @classmethod
    def fresh(cls, name: str, table: Floats) -> "Trained":
        """A table whose moments are zero."""
        return cls(name, table, np.zeros_like(table), np.zeros_like(table))

    def native(self) -> _core.TrainedTable:
        """The arrays as the core changes them."""
        return _core.TrainedTable(self.table, self.first_moment, self.second_moment)

    def arrays(self) -> dict[str, Floats]:
        """All arrays by name."""
        return {
            f"{self.name}.table": self.table,
            f"{self.name}.first_moment": self.first_moment,
            f"{self.name}.second_moment": self.second_moment,
        }


@dataclass(frozen=True, eq=False)
class Parameters:
    """The tables of the parts, and those of the objective's own."""

    shapes: tuple[PartShape, ...]
    parts: tuple[Trained, ...]
    objective: tuple[Trained, ...]

    @classmethod
    def of(cls, parts: Sequence[Part], objective: Mapping[str, Floats]) -> "Parameters":
        """Copies of an encoder's tables and an objective's, as float32."""
        return cls(
            tuple(part.shape for part in parts),
            tuple(Trained.fresh(part.name, part.rows()) for part in parts),
            tuple(
                Trained.fresh(name, np.array(table, np.float32))
                for name, table in objective.items()
            ),
        )

    def __iter__(self) -> Iterator[Trained]:
        yield from self.parts
        yield from self.objective

    def arrays(self) -> dict[str, Floats]:
        """All arrays by name."""
        return {name: array for trained in self for name, array in trained.arrays().items()}

    def encoder_parts(self) -> list[Part]:
        """The parts of an encoder that shares the tables."""
        return [
            Part(trained.name, shape, trained.table)
            for shape, trained in zip(self.shapes, self.parts, strict=True)
        ]
