"""How many threads there are to be."""

import os

from cmow.errors import ConfigError

MOST_THREADS = 4096  # each of them takes memory


def usable_cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def thread_count(threads: int | None) -> int:
    """The number of threads to use: all cores that this process may use unless given."""
    if threads is not None and not 1 <= threads <= MOST_THREADS:
        raise ConfigError(
            f"threads is {threads}: give 1 or more, up to {MOST_THREADS}, or None for all cores"
        )
    return threads or usable_cores()
