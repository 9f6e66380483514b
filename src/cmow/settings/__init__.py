"""Settings: what each may be, is unless given, and is for, said once for code, files and flags."""

from cmow.settings.rules import (
    Rule,
    at_least,
    choice,
    count,
    limits,
    number,
    optional,
    positive,
    switch,
    text,
    understood,
    whole,
)
from cmow.settings.settings import (
    Settings,
    kind_of,
    noting,
    refuse,
    rule_of,
    setting,
    settings_of,
    table,
    tables_of,
)
from cmow.settings.toml import read_toml, write_toml

__all__ = [
    "Rule",
    "Settings",
    "at_least",
    "choice",
    "count",
    "kind_of",
    "limits",
    "noting",
    "number",
    "optional",
    "positive",
    "read_toml",
    "refuse",
    "rule_of",
    "setting",
    "settings_of",
    "switch",
    "table",
    "tables_of",
    "text",
    "understood",
    "whole",
    "write_toml",
]
