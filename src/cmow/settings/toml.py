"""Settings as TOML: read from a file, written with an explanation of each."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cmow.errors import ConfigError, FormatError
from cmow.parsing import parse_toml
from cmow.settings.settings import Settings, rule_of, settings_of, tables_of


def read_toml(path: str | Path) -> dict[str, Any]:
    """The values of a file, unchecked; `Settings.of` takes them."""
    try:
        return parse_toml(Path(path).read_bytes())
    except FormatError as error:
        raise ConfigError(f"{path}: not a TOML file ({error})") from error


def write_toml(settings: Settings) -> str:
    """A file that gives the same settings when read."""
    return "\n".join(_lines(settings, "")) + "\n"


def _lines(settings: Settings, prefix: str) -> Iterator[str]:
    for each in settings_of(settings):
        rule = rule_of(each)
        choices = f" ({rule.metavar})" if "|" in rule.metavar else ""
        yield _line(each.name, getattr(settings, each.name), each.metadata["comment"] + choices)
    for each in tables_of(settings):
        yield from ("", f"[{prefix}{each.name}]")
        yield from _lines(getattr(settings, each.name), f"{prefix}{each.name}.")


def _line(name: str, value: Any, comment: str) -> str:
    # TOML has no word for nothing: what is not set is a comment.
    line = f"# {name} =" if value is None else f"{name} = {json.dumps(value, ensure_ascii=False)}"
    return f"{line:32}  # {comment}"
