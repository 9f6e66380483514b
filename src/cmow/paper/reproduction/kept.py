"""What an earlier run has kept as JSON."""

from pathlib import Path
from typing import Any

from cmow.errors import FormatError
from cmow.parsing import read_json


def read_kept(path: Path, *needed: str) -> dict[str, Any]:
    """The values of a file that a run has written.

    :param needed: names without which it is not what was written
    """
    try:
        page = read_json(path)
    except FormatError as error:
        raise _damaged(path) from error
    if not isinstance(page, dict) or not page.keys() >= set(needed):
        raise _damaged(path)
    return page


def _damaged(path: Path) -> FormatError:
    return FormatError(f"{path}: damaged; remove it, and it is made again")
