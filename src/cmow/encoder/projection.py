"""A linear map of the parts into one space, such as that of a teacher."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Floats
from cmow.encoder.part import Part
from cmow.errors import ConfigError

BIAS, MAP = "projection.bias", "projection.{}"
LONGEST = 1e18  # so that no sensible matrix takes a view beyond float32


@dataclass(frozen=True, eq=False)
class Placement:
    """A part's view is added to some columns: times a matrix, or the first of its numbers.

    :param factor: of numbers that are added as they are
    :param longest: a view with a larger norm is brought back to it
    """

    part: str
    begin: int
    end: int
    matrix: Floats | None = None
    factor: float = 1.0
    longest: float = LONGEST

    def cut(self, columns: int) -> "Placement":
        """Of the first columns only."""
        end = min(self.end, columns)
        matrix = self.matrix
        if matrix is not None:
            matrix = np.ascontiguousarray(matrix[:, : end - self.begin])
        return replace(self, end=end, matrix=matrix)

    def scaled(self, factor: float) -> "Placement":
        """Counting more, or less."""
        if self.matrix is None:
            return replace(self, factor=self.factor * factor)
        return replace(self, matrix=self.matrix * np.float32(factor))

    def of(self, view: Floats) -> Floats:
        """What is added of a view."""
        norms = np.linalg.norm(view.astype(np.float64), axis=-1, keepdims=True)
        view = view * np.minimum(1, self.longest / np.maximum(norms, 1e-30)).astype(np.float32)
        added: Floats = (
            np.float32(self.factor) * view[..., : self.end - self.begin]
            if self.matrix is None
            else view @ self.matrix
        )
        return added


@dataclass(frozen=True, eq=False)
class Projection:
    """The embedding is the bias and all placed views; 0 for a text without words."""

    placements: tuple[Placement, ...]
    bias: Floats

    @property
    def dim(self) -> int:
        """Numbers in an embedding."""
        return len(self.bias)

    @classmethod
    def side_by_side(cls, parts: Sequence[Part]) -> "Projection":
        """The views one behind the other: what an encoder without a projection shows."""
        ends = np.cumsum([part.width for part in parts]).tolist()
        places = zip(parts, [0, *ends], ends, strict=False)
        return cls(
            tuple(Placement(part.name, begin, end) for part, begin, end in places),
            np.zeros(ends[-1], np.float32),
        )

    @classmethod
    def united(
        cls, projections: Sequence["Projection"], names: Sequence[Mapping[str, str]]
    ) -> "Projection":
        """One behind the other.

        :param names: what the parts of each are called now
        """
        placements, begin = [], 0
        for projection, called in zip(projections, names, strict=True):
            placements += [
                replace(
                    place, part=called[place.part], begin=begin + place.begin, end=begin + place.end
                )
                for place in projection.placements
            ]
            begin += projection.dim
        return cls(tuple(placements), np.concatenate([each.bias for each in projections]))

    def scaled(self, factor: float) -> "Projection":
        """All numbers times a factor."""
        placements = tuple(place.scaled(factor) for place in self.placements)
        return Projection(placements, self.bias * np.float32(factor))

    def cut(self, columns: int) -> "Projection":
        """The first numbers only."""
        placements = tuple(place.cut(columns) for place in self.placements if place.begin < columns)
        return Projection(placements, self.bias[:columns].copy())

    def bounded(self, longest: Mapping[str, float]) -> "Projection":
        """With views that are no longer than so much, by the name of the part."""
        placements = tuple(
            replace(place, longest=longest.get(place.part, place.longest))
            for place in self.placements
        )
        return Projection(placements, self.bias)

    def of_parts(self, names: Collection[str], *, bias: bool) -> "Projection":
        """What some parts contribute."""
        placements = tuple(place for place in self.placements if place.part in names)
        return Projection(placements, self.bias if bias else np.zeros_like(self.bias))

    def check(self, parts: Sequence[Part]) -> None:
        """Refuse parts that it does not fit."""
        if self.bias.ndim != 1 or not np.isfinite(self.bias).all():
            raise ConfigError("the projection's bias must be a vector of finite numbers")
        widths = {part.name: part.width for part in parts}
        for place in self.placements:
            if place.part not in widths:
                raise ConfigError(f"a projection of {place.part}, but no such part")
            self._check(place, widths[place.part])

    def _check(self, place: Placement, width: int) -> None:
        columns = place.end - place.begin
        if not 0 <= place.longest <= LONGEST:
            raise ConfigError(f"{place.part!r} must be no longer than 0 to {LONGEST:g}")
        if not 0 <= place.begin <= place.end <= self.dim or not np.isfinite(place.factor):
            raise ConfigError(f"the projection of {place.part!r} is beyond its space")
        if place.matrix is None:
            if columns > width:
                raise ConfigError(f"{columns} columns for the {width} numbers of {place.part!r}")
            return
        if place.matrix.shape != (width, columns):
            raise ConfigError(
                f"the projection of {place.part!r} must be {(width, columns)}, "
                f"not {place.matrix.shape}"
            )
        if not np.isfinite(place.matrix).all():
            raise ConfigError(f"the projection of {place.part!r} has NaN or infinity in it")

    def apply(self, views: Mapping[str, Floats]) -> Floats:
        """The embeddings of views by part."""
        (*shape, _) = next(iter(views.values())).shape
        embeddings = np.empty((*shape, self.dim), np.float32)
        embeddings[:] = self.bias
        for place in self.placements:
            embeddings[..., place.begin : place.end] += place.of(views[place.part])
        return embeddings

    # ---- in a model folder ----------------------------------------------------------------------

    def settings(self) -> list[dict[str, Any]]:
        """What config.json says of it."""
        return [
            {
                "part": place.part,
                "begin": place.begin,
                "end": place.end,
                "factor": place.factor,
                "longest": place.longest,
                "mapped": place.matrix is not None,
            }
            for place in self.placements
        ]

    def tensors(self) -> dict[str, Floats]:
        """The arrays beside the tables, by name."""
        matrices = {
            MAP.format(number): place.matrix
            for number, place in enumerate(self.placements)
            if place.matrix is not None
        }
        return {BIAS: self.bias, **matrices}

    @classmethod
    def read(
        cls, settings: Sequence[Mapping[str, Any]], tensors: Mapping[str, NDArray[Any]]
    ) -> "Projection":
        """The inverse of the two; KeyError for an array that is missing."""
        placements = [
            Placement(
                str(each["part"]),
                int(each["begin"]),
                int(each["end"]),
                np.asarray(tensors[MAP.format(number)], np.float32) if each["mapped"] else None,
                float(each["factor"]),
                float(each["longest"]),
            )
            for number, each in enumerate(settings)
        ]
        return cls(tuple(placements), np.asarray(tensors[BIAS], np.float32))
