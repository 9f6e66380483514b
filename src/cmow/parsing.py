"""JSON and TOML of anybody's making: whatever is wrong with a text is one kind of error."""

import json
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from cmow.errors import FormatError, MissingExtraError

# Far more than anything of ours has, and few enough for whatever goes through the values by
# recursion: Python's own limit depends on its version and on where a function is called from.
DEEPEST = 64


def parse_json(data: bytes | str) -> Any:
    """The value of a JSON text; an error says what is wrong with it."""
    return _parsed(json.loads, data)


def parse_toml(data: bytes) -> dict[str, Any]:
    """The values of a TOML text; an error says what is wrong with it."""
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        try:
            import tomli as tomllib
        except ImportError as error:
            raise MissingExtraError("tomli", "toml") from error
    values: dict[str, Any] = _parsed(tomllib.loads, data)
    return values


def read_json(path: Path) -> Any:
    """The value of a JSON file; an error names it."""
    try:
        return parse_json(path.read_bytes())
    except FormatError as error:
        raise FormatError(f"{path}: not valid JSON ({error})") from error


def _parsed(parse: Callable[[str], Any], data: bytes | str) -> Any:
    try:
        value = parse(data if isinstance(data, str) else data.decode("utf-8-sig"))
        _check_depth(value)
    except RecursionError:
        raise FormatError("nested too deeply") from None
    except ValueError as error:  # of the syntax or of UTF-8
        raise FormatError(str(error)) from error
    return value


def _check_depth(value: Any) -> None:
    level = [value]
    for _ in range(DEEPEST):
        level = [inner for outer in level for inner in _inside(outer)]
        if not level:
            return
    raise RecursionError


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
