"""Ctrl-C between two updates, not in the middle of one."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interruption:
    """Whether somebody wants the run to stop."""

    wanted = False


@contextmanager
def deferred_interruption() -> Iterator[Interruption]:
    """Take note of the first Ctrl-C; the second one breaks off at once."""
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption  # Ctrl-C reaches the main thread only
        return
    before = signal.getsignal(signal.SIGINT)

    def note(_: int, __: FrameType | None) -> None:
        interruption.wanted = True
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, note)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, before)
