"""The losses of a run, a line each, as they were reported."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from cmow.errors import FormatError
from cmow.parsing import parse_json
from cmow.training.checksum import BLOCK, Checksum

HISTORY = "history.jsonl"


class Progress(NamedTuple):
    """What is known after an update."""

    update: int  # updates done
    updates: int | None  # updates to do, if that is known
    epoch: float  # times through the corpus
    unit: str  # what the objective calls its examples
    examples: int  # seen so far
    tokens: int  # seen so far
    seconds: float  # since the start
    examples_per_second: float | None  # since the last line; None if there were none
    seconds_left: float | None  # at this speed, if the end is known
    learning_rate: float
    training_loss: float | None  # of an example, mean since the last line; None if there was none
    validation_loss: float | None  # the latest
    validated: bool  # whether that was computed after this update
    is_line: bool  # whether this goes into the history
    run: str = ""  # which one, where several belong together


Callback = Callable[[Progress], None]


class Extent(NamedTuple):
    """The beginning of a history, which is known by its checksum."""

    size: int  # bytes
    checksum: str


NOTHING = Extent(0, Checksum().text())


class History:
    """The file of a run that is going on.

    :param kept: what stays, of a run that is resumed
    """

    def __init__(self, folder: Path, kept: Extent = NOTHING) -> None:
        self.path = folder / HISTORY
        self._file = self.path.open("ab")
        try:
            self._checksum = _checked(self.path, kept)
            self._file.truncate(kept.size)
        except BaseException:
            self._file.close()
            raise

    def add(self, progress: Progress) -> None:
        """Write a line."""
        left_out = {"updates", "unit", "seconds_left", "validated", "is_line", "run"}
        if not progress.validated:
            left_out.add("validation_loss")
        line = {
            name.replace("examples", progress.unit): value
            for name, value in progress._asdict().items()
            if name not in left_out and value is not None
        }
        data = json.dumps(line).encode() + b"\n"
        self._file.write(data)
        self._file.flush()
        self._checksum.add(data)

    def flush(self) -> Extent:
        """Have the disk hold all lines; returns what there is."""
        os.fsync(self._file.fileno())
        return Extent(self.path.stat().st_size, self._checksum.text())

    def close(self) -> None:
        """No more lines."""
        self._file.close()


def _checked(path: Path, kept: Extent) -> Checksum:
    """The checksum of what stays, to be gone on with."""
    checksum, left = Checksum(), kept.size
    with path.open("rb") as file:
        while data := file.read(min(left, BLOCK)):
            checksum.add(data)
            left -= len(data)
    if left or checksum.text() != kept.checksum:
        raise FormatError(f"{path}: damaged; remove {path.parent} to start over")
    return checksum


def read_history(path: Path) -> list[dict[str, Any]]:
    """The lines of a file; one that is still being written is left out."""
    lines = []
    for number, line in enumerate(path.read_bytes().split(b"\n")[:-1], start=1):
        try:
            lines.append(dict(parse_json(line)))
        except (ValueError, TypeError) as error:
            raise FormatError(f"{path}, line {number}: not a line of a history") from error
    return lines
