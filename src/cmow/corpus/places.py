"""Errors of the file system that say where they happened."""

import contextlib
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def at(path: str | Path) -> Iterator[None]:
    """Name a path in errors that lack one, as those of reading and writing do."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.strerror:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
