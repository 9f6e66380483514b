"""How far a reproduction has come."""

from typing import NamedTuple


class Progress(NamedTuple):
    """What is being done, and how much of it is behind."""

    stage: str
    done: float
    total: float | None
