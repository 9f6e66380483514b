"""Code that may crash, hang or take all memory, run in a child of this process."""

import os
import resource
import select
import signal
import time
import traceback
from collections.abc import Callable
from typing import NamedTuple

from cmow.errors import ConfigError, DivergenceError, FormatError, MissingExtraError

REFUSALS = (ConfigError, FormatError, DivergenceError, MissingExtraError)
MEMORY = 4 << 30  # bytes that a child may take beside what it starts with
FINE, REFUSED = "fine", "refused"


class NotFiniteError(ArithmeticError):
    """A result is NaN or infinite."""


class Outcome(NamedTuple):
    """What came of it.

    :param kind: fine, refused, not finite, traceback, crash or hang
    :param detail: the error and where it came from
    """

    kind: str
    detail: str = ""

    @property
    def cause(self) -> str:
        """What two outcomes have in common that one mend is for."""
        return f"{self.kind} {self.detail.partition(': ')[0]}"


def run(work: Callable[[], None], *, seconds: float) -> Outcome:
    """Run a function in a child."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        outcome = _outcome(work)
        os.write(writing, f"{outcome.kind}\n{outcome.detail}".encode(errors="replace")[:4000])
        os._exit(0)
    os.close(writing)
    try:
        return _wait(child, reading, seconds)
    finally:
        os.close(reading)


def _wait(child: int, reading: int, seconds: float) -> Outcome:
    end = time.monotonic() + seconds
    told = b""
    while select.select([reading], [], [], max(end - time.monotonic(), 0))[0]:
        more = os.read(reading, 4096)
        if not more:
            break
        told += more
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return Outcome("hang", f"more than {seconds:g} seconds")
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return Outcome("crash", signal.Signals(os.WTERMSIG(status)).name)
    kind, _, detail = told.decode().partition("\n")
    return Outcome(kind or "crash", detail or "no word")


def _outcome(work: Callable[[], None]) -> Outcome:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    with open("/proc/self/statm") as file:  # noqa: PTH123
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        work()
    except REFUSALS as error:
        return Outcome("several lines" if "\n" in str(error) else REFUSED, str(error))
    except NotFiniteError as error:
        return Outcome("not finite", str(error))
    except BaseException as error:
        named = isinstance(error, OSError) and error.strerror and error.filename is not None
        return Outcome(REFUSED if named else "traceback", _place(error))
    return Outcome(FINE)


def _place(error: BaseException) -> str:
    """The error, and the line of ours that it came from."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if "/src/cmow/" in frame.filename] or frames[-1:]
    place = f"{ours[-1].filename.partition('/src/')[2]}:{ours[-1].lineno}" if ours else ""
    return f"{type(error).__name__} at {place}: {str(error)[:200]!r}"
