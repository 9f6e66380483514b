"""What a setting may be, in a form that both checks a value and says what is wanted."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple, get_args

from cmow.errors import ConfigError


class Rule(NamedTuple):
    """The values that a setting may have."""

    kind: type  # of a value on the command line
    metavar: str  # stands for a value in the help of the command line
    fault: Callable[[Any], str]  # what is wrong with a value, to follow the name; or ""


def whole(least: int, most: int = 2**31 - 1) -> Rule:
    """A whole number between two others."""
    return _rule(
        int,
        "NUMBER",
        f"a whole number from {least} to {most}"
        if most < 2**31 - 1
        else f"a whole number of at least {least}",
        lambda value: _is_whole(value) and least <= value <= most,
    )


def count(least: int) -> Rule:
    """A number of things, as many as there are."""
    return _rule(
        int,
        "NUMBER",
        f"a number of at least {least}",
        lambda value: _is_whole(value) and value >= least,
    )


def at_least(least: int) -> Rule:
    """A whole number that is not too small, which is said in fewer words."""
    wrong = count(least).fault
    return Rule(
        int, "NUMBER", lambda value: f" {value!r} (at least {least})" if wrong(value) else ""
    )


def positive() -> Rule:
    """A number above zero."""
    return _rule(float, "NUMBER", "a number above 0", lambda value: _is_number(value) and value > 0)


def number(least: float, below: float = math.inf) -> Rule:
    """A number that is at least one and below another."""
    wanted = f"a number of at least {least}" + (f" and below {below}" if below < math.inf else "")
    return _rule(
        float, "NUMBER", wanted, lambda value: _is_number(value) and least <= value < below
    )


def limits() -> Rule:
    """The least and the greatest of some whole numbers."""

    def holds(value: Any) -> bool:
        numbers = isinstance(value, tuple | list) and len(value) == 2 and all(map(_is_whole, value))
        return numbers and 0 <= value[0] <= value[1]

    return _rule(tuple, "NUMBERS", "two whole numbers of at least 0, the lower one first", holds)


def choice(words: Any) -> Rule:
    """One of the words of a Literal type."""
    names = get_args(words)
    return _rule(str, "|".join(names), f"one of {', '.join(names)}", lambda value: value in names)


def switch() -> Rule:
    """On or off."""
    return _rule(bool, "", "true or false", lambda value: isinstance(value, bool))


def text(metavar: str) -> Rule:
    """Any characters, but some."""
    return _rule(str, metavar, "a word", lambda value: isinstance(value, str) and value != "")


def understood(metavar: str, read: Callable[[str], object]) -> Rule:
    """A text that a function understands, or else says why not."""

    def fault(value: Any) -> str:
        try:
            read(value)
        except (ConfigError, AttributeError, TypeError) as error:
            return f": {error}"
        return ""

    return Rule(str, metavar, fault)


def optional(rule: Rule) -> Rule:
    """The same or nothing."""
    return rule._replace(fault=lambda value: "" if value is None else rule.fault(value))


def _rule(kind: type, metavar: str, wanted: str, holds: Callable[[Any], bool]) -> Rule:
    return Rule(
        kind, metavar, lambda value: "" if holds(value) else f" must be {wanted}, not {value!r}"
    )


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return _is_whole(value) or (isinstance(value, float) and math.isfinite(value))
