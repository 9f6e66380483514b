"""Settings as TOML: read from a file, written with an explanation of each."""

import json
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any

from cmow.errors import ConfigError, MissingExtraError
from cmow.training.config import PREPARE, TrainConfig, check_one_by_one, rule_of, settings


def read_toml(path: str | Path) -> dict[str, Any]:
    """The values of a file, unchecked; `TrainConfig.of` takes them."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        try:
            import tomli as tomllib
        except ImportError as error:
            raise MissingExtraError("tomli", "toml") from error
    try:
        values: dict[str, Any] = tomllib.loads(Path(path).read_text("utf-8"))
    except ValueError as error:  # not TOML, or not UTF-8
        raise ConfigError(f"{path}: not a TOML file ({error})") from error
    return values


def read_settings(path: str | Path) -> dict[str, Any]:
    """The settings of a file, each checked; what they go with is not known yet."""
    values = read_toml(path)
    try:
        check_one_by_one(values)
    except ConfigError as error:
        raise ConfigError(f"{path}: {error}") from error
    return values


def write_toml(config: TrainConfig) -> str:
    """A file that gives the same configuration when read."""
    lines = []
    for each in settings():
        rule = rule_of(each)
        choices = f" ({rule.metavar})" if "|" in rule.metavar else ""
        comment = each.metadata["comment"] + choices
        lines.append(_line(each.name, getattr(config, each.name), comment))
    lines += ["", f"[{PREPARE}]"]
    for part in fields(config.prepare):
        lines.append(_line(part.name, getattr(config.prepare, part.name)))
    return "\n".join(lines) + "\n"


def _line(name: str, value: Any, comment: str = "") -> str:
    # TOML has no word for nothing: what is not set is a comment.
    line = f"# {name} =" if value is None else f"{name} = {json.dumps(value, ensure_ascii=False)}"
    return f"{line:32}  # {comment}" if comment else line
