"""Ctrl-C between two updates, not in the middle of one."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interruption:
    """The signal by which somebody wants the run to stop, if any."""

    signal: int | None = None


@contextmanager
def deferred_interruption() -> Iterator[Interruption]:
    """Take note of the first Ctrl-C or SIGTERM; the second one breaks off at once."""
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption  # signals reach the main thread only
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def note(number: int, _: FrameType | None) -> None:
        interruption.signal = number
        restore()

    for number in SIGNALS:
        signal.signal(number, note)
    try:
        yield interruption
    finally:
        restore()
