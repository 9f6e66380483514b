"""Errors whose message names the value at fault and the cure."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path


class ConfigError(ValueError):
    """A setting is out of range or contradicts another."""


class FormatError(ValueError):
    """A file is damaged, foreign or of a newer version."""


class UnknownWordError(ConfigError, KeyError):
    """A word is not in the vocabulary."""

    __str__ = Exception.__str__  # KeyError would show the message in quotes


class DivergenceError(RuntimeError):
    """Training produced a loss that is not finite or explodes."""


class MissingExtraError(ImportError):
    """A feature needs an optional dependency that is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"this needs {package}: pip install 'cmow[{extra}]'", name=package)


def require(package: str, extra: str) -> None:
    """Refuse to begin what a package will be needed for that is not installed."""
    if not find_spec(package):
        raise MissingExtraError(package, extra)


@contextmanager
def path_in_errors(path: str | Path) -> Iterator[None]:
    """Name a path in errors of the system that lack one, as those of reading and writing do."""
    try:
        yield
    except OSError as error:
        if error.filename is None and error.strerror:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
