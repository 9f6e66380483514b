"""How far some work has come."""

from collections.abc import Callable
from typing import NamedTuple


class Progress(NamedTuple):
    """What is being done, and how much of it is behind."""

    stage: str
    done: int
    total: int | None  # None if it is not known


ProgressCallback = Callable[[Progress], None]
