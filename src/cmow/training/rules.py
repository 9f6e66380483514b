"""What a setting may be, in a form that both checks a value and says what is wanted."""

import math
from collections.abc import Callable
from dataclasses import field
from typing import Any, NamedTuple


class Rule(NamedTuple):
    """The values that a setting may have."""

    wanted: str  # completes "must be …"
    metavar: str  # stands for a value in the help of the command line
    holds: Callable[[Any], bool]


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: Any) -> bool:
    return _is_whole(value) or (isinstance(value, float) and math.isfinite(value))


def whole(least: int, most: int = 2**31 - 1) -> Rule:
    """A whole number between two others."""
    wanted = (
        f"a whole number from {least} to {most}"
        if most < 2**31 - 1
        else (f"a whole number from {least} on")
    )
    return Rule(wanted, "NUMBER", lambda value: _is_whole(value) and least <= value <= most)


def positive() -> Rule:
    """A number above zero."""
    return Rule("a number above 0", "NUMBER", lambda value: _is_number(value) and value > 0)


def number(least: float, below: float = math.inf) -> Rule:
    """A number that is at least one and below another."""
    wanted = f"a number from {least} on" + (f", below {below}" if below < math.inf else "")
    return Rule(wanted, "NUMBER", lambda value: _is_number(value) and least <= value < below)


def choice(*words: str) -> Rule:
    """One of some words."""
    return Rule(f"one of {', '.join(words)}", "|".join(words), lambda value: value in words)


def switch() -> Rule:
    """On or off."""
    return Rule("true or false", "", lambda value: isinstance(value, bool))


def text(metavar: str) -> Rule:
    """Any characters, but some."""
    return Rule(
        "a text that is not empty", metavar, lambda value: isinstance(value, str) and value != ""
    )


def optional(rule: Rule) -> Rule:
    """The same or nothing."""
    return rule._replace(holds=lambda value: value is None or rule.holds(value))


def setting(default: Any, rule: Rule, comment: str, *, free: bool = False) -> Any:
    """A field of a dataclass with its rule and a line that explains it.

    :param free: whether it may be changed when an interrupted run is resumed, because what has
        been computed so far would have been the same
    """
    return field(default=default, metadata={"rule": rule, "comment": comment, "free": free})
