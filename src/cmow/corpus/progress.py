"""How far a preparation has come."""

from typing import Literal

from cmow.progress import Progress, ProgressCallback

# Copy of what can be read only once, check for changes, count words, write ids.
Stage = Literal["copy", "check", "count", "write"]


class Tracker:
    """Adds up bytes that a stage has been through and tells a callback, if there is one."""

    def __init__(self, callback: ProgressCallback | None) -> None:
        self._callback = callback
        self._now = Progress("copy", 0, None)

    def start(self, stage: Stage, total: int | None) -> None:
        """Begin another stage."""
        self._now = Progress(stage, 0, total)
        self.advance(0)

    def advance(self, size: int) -> None:
        """Some more bytes are done."""
        self._now = self._now._replace(done=self._now.done + size)
        if self._callback is not None:
            self._callback(self._now)
