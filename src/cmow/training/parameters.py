"""Everything that training changes: tables and Adam's moments of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from cmow.arrays import Floats
from cmow.encoder import Part, PartShape

OUTPUT = "output"


@dataclass(frozen=True, eq=False)
class Trained:
    """A table, updated in place, and the two moments of its gradient."""

    name: str
    shape: PartShape | None  # how rows of its part compose; None for the output table
    table: Floats
    first: Floats
    second: Floats

    @property
    def matrix_size(self) -> int | None:
        """Of a part that multiplies; None for others."""
        return self.shape.size if self.shape and self.shape.composition == "product" else None

    @classmethod
    def fresh(cls, name: str, shape: PartShape | None, table: Floats) -> "Trained":
        """A table whose moments are zero."""
        return cls(name, shape, table, np.zeros_like(table), np.zeros_like(table))


@dataclass(frozen=True, eq=False)
class Parameters:
    """The parts' tables and the output table, whose rows are as long as an embedding."""

    parts: tuple[Trained, ...]
    output: Trained

    @classmethod
    def of(cls, parts: Sequence[Part], output: Floats | None = None) -> "Parameters":
        """Copies of an encoder's tables, as float32.

        :param output: rows to start from; zeros as in word2vec when None
        """
        if output is None:
            width = sum(part.width for part in parts)
            output = np.zeros((len(parts[0].table), width), np.float32)
        return cls(
            tuple(
                Trained.fresh(part.name, PartShape(part.composition, part.size), part.rows())
                for part in parts
            ),
            Trained.fresh(OUTPUT, None, np.array(output, np.float32)),
        )

    def __iter__(self) -> Iterator[Trained]:
        yield from self.parts
        yield self.output

    def by_part(self) -> Iterator[Trained]:
        """The parts' tables, then the output table's columns of each part."""
        yield from self.parts
        ends = np.cumsum([part.table.shape[1] for part in self.parts])[:-1]
        columns = (
            np.split(array, ends, axis=1)
            for array in (self.output.table, self.output.first, self.output.second)
        )
        for part, *arrays in zip(self.parts, *columns, strict=True):
            yield Trained(f"{OUTPUT} of {part.name}", part.shape, *arrays)

    @classmethod
    def from_parts(cls, trained: Sequence[Trained]) -> "Parameters":
        """What :meth:`by_part` takes apart."""
        half = len(trained) // 2
        columns = ([each.table, each.first, each.second] for each in trained[half:])
        output = (np.concatenate(arrays, axis=1) for arrays in zip(*columns, strict=True))
        return cls(tuple(trained[:half]), Trained(OUTPUT, None, *output))

    def arrays(self) -> dict[str, Floats]:
        """All arrays by name."""
        return {
            f"{trained.name}.{kind}": getattr(trained, kind)
            for trained in self
            for kind in ("table", "first", "second")
        }

    def encoder_parts(self) -> list[Part]:
        """The parts of an encoder that shares the tables."""
        return [Part(part.name, *part.shape, part.table) for part in self.parts if part.shape]
