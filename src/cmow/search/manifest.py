"""The page that makes a folder an index."""

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from cmow.choices import RowStorage
from cmow.durable import write_json
from cmow.errors import FormatError
from cmow.numbers import ROW_STORAGES
from cmow.parsing import read_json
from cmow.search.segment import Layout

NAME = "index.json"
VERSION = 2


@dataclass(frozen=True)
class Manifest:
    """What an index holds, and of which model.

    :param model: where the model is, if it was given as a folder
    :param removed: rows that are not found any more
    :param graph_rows: the first rows, which the approximate search knows
    :param graph_weights: what each block counts there
    """

    fingerprint: str
    model: str | None
    storage: RowStorage
    widths: dict[str, int]
    segments: list[int] = field(default_factory=list)  # their rows
    removed: list[int] = field(default_factory=list)
    graph_rows: int = 0
    graph_weights: dict[str, float] = field(default_factory=dict)
    version: int = VERSION

    @property
    def layout(self) -> Layout:
        """What all segments have in common."""
        return Layout(self.widths, self.storage)

    @property
    def rows(self) -> int:
        """How many there are, removed ones included."""
        return sum(self.segments)

    def write(self, folder: Path) -> None:
        """Write the page in one go."""
        write_json(folder / NAME, asdict(self))

    @classmethod
    def read(cls, folder: Path) -> "Manifest":
        """Read the page of an index."""
        if folder.exists() and not (folder / NAME).is_file():
            raise FormatError(f"{folder}: not an index; make one with cmow index")
        try:
            values = read_json(folder / NAME)
        except FormatError as error:
            raise FormatError(f"{error}; rebuild the index") from error
        version = values.get("version") if isinstance(values, dict) else None
        if version != VERSION:
            raise FormatError(
                f"{folder}: an index of another version of cmow (format {version}, not {VERSION}); "
                "rebuild it"
            )
        try:
            manifest = cls(**values)
            manifest._check()
        except (TypeError, ValueError, AttributeError) as error:
            raise FormatError(f"{folder / NAME}: damaged; rebuild the index") from error
        return manifest

    def _check(self) -> None:
        whole: list[Any] = [*self.widths.values(), *self.segments, *self.removed, self.graph_rows]
        if not all(isinstance(number, int) and 0 <= number < 2**48 for number in whole):
            raise ValueError("a number is not what it can be")
        if self.storage not in ROW_STORAGES or self.graph_rows > self.rows or not self.widths:
            raise ValueError("a setting is not what it can be")
        if any(row >= self.rows for row in self.removed):
            raise ValueError("a row that there is not")
        if self.graph_rows and self.graph_weights.keys() != self.widths.keys():
            raise ValueError("a block without a weight")
