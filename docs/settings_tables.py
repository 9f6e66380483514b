"""Tables of settings, from what the code says of each field."""

import re
from collections.abc import Iterator
from dataclasses import Field
from importlib import import_module
from typing import Any

from cmow.settings import Rule, Settings, rule_of, settings_of

MARK = re.compile(r"<!-- settings ([\w.]+)\.(\w+) -->")
HEADER = "| setting | default | may be | what it does |\n|---|---|---|---|"


def with_tables(page: str) -> str:
    """A page whose marks are replaced by tables of the settings that they name."""
    return MARK.sub(lambda mark: tables(getattr(import_module(mark[1]), mark[2])), page)


def tables(kind: type[Settings]) -> str:
    """The settings of a class, a table for each of its headings."""
    return "\n".join(_lines(kind))


def _lines(kind: type[Settings]) -> Iterator[str]:
    for number, each in enumerate(settings_of(kind)):
        heading = each.metadata["heading"]
        if heading:
            yield f"\n### {heading}\n"
        if heading or not number:
            yield HEADER
        yield _row(each)


def _row(each: Field[Any]) -> str:
    free = " ↻" if each.metadata["free"] else ""
    default = "not set" if each.default is None else f"`{_toml(each.default)}`"
    cells = (f"`{each.name}`{free}", default, allowed(rule_of(each)), _sentence(each))
    return f"| {' | '.join(cell.replace('|', ', ') for cell in cells)} |"


class _Wrong:
    """What no setting may be, so that its rule says what it may."""

    def __repr__(self) -> str:
        return "…"


def allowed(rule: Rule) -> str:
    """The values of a rule, in the words that it uses to complain, made easy to read."""
    said = rule.fault(_Wrong())
    found = re.fullmatch(r" must be (?:one of )?(.+), not …| … \((at least .+)\)", said)
    words = (found[1] or found[2]) if found else "as explained"
    if words == "a word":
        return f"a {rule.metavar.lower()}"
    return re.sub(r"\d{5,}", lambda digits: f"{int(digits[0]):,}", words)


def _sentence(each: Field[Any]) -> str:
    comment: str = each.metadata["comment"]
    return f"{comment[0].upper()}{comment[1:].removesuffix(' …')}."


def _toml(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
