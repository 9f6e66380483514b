"""Names that had a British spelling once: still understood wherever they are given, never shown."""

from collections.abc import Callable, Mapping
from functools import wraps
from typing import ParamSpec, TypeVar

from cmow.errors import ConfigError

P = ParamSpec("P")
T = TypeVar("T")

FORMER = {
    "centres": "centers",
    "initialisation": "initialization",
    "neighbours": "neighbors",
    "regularisation": "regularization",
}


def american(name: str) -> str:
    """A name of a setting, an option or a command as it is spelled now."""
    return FORMER.get(name, name)


def americanized(values: Mapping[str, T]) -> dict[str, T]:
    """Values by the names of now, none of which may be given in both spellings."""
    found: dict[str, T] = {}
    for name, value in values.items():
        if american(name) in found:
            raise ConfigError(f"{american(name)} is given in two spellings: leave one out")
        found[american(name)] = value
    return found


def former_keywords(function: Callable[P, T]) -> Callable[P, T]:
    """Let a function take its keywords in their former spelling, too."""

    @wraps(function)
    def call(*args: P.args, **values: P.kwargs) -> T:
        return function(*args, **americanized(values))  # type: ignore[arg-type]

    return call
