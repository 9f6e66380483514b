"""Errors that a user can mend, told in one line; anything else is a bug, with its traceback."""

import errno
from pathlib import Path
from typing import Any

from cmow.errors import ConfigError, DivergenceError, FormatError, MissingExtraError
from cmow.suggesting import did_you_mean

MENDABLE = (ConfigError, FormatError, DivergenceError, MissingExtraError, OSError)


def explain(error: Exception) -> str | None:
    """The line to show for an error, empty if all is said already, or None if it is a bug."""
    if hasattr(error, "format_message"):  # misuse found by the argument parser
        return _usage(error)
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{error.filename}: {error.strerror}{_neighbors_of(error)}"
    if isinstance(error, MENDABLE):
        return " ".join(str(error).split())
    return None


def _usage(error: Any) -> str:
    context = getattr(error, "ctx", None)
    if hasattr(error, "possibilities"):  # an option that there is not
        known = [] if context is None else _options(context)
        message = f"No such option: {error.option_name}{did_you_mean(error.option_name, known)}"
    else:
        message = " ".join(error.format_message().split())
    if not message or context is None:  # a group of commands alone has shown its help
        return message
    return f"{message} (see '{context.command_path} --help')"


def _options(context: Any) -> list[str]:
    parameters = context.command.get_params(context)
    return [name for each in parameters for name in each.opts if name.startswith("--")]


def _neighbors_of(error: OSError) -> str:
    """What is called nearly like a file that there is not."""
    from cmow.encoder import SHIPPED

    path = Path(str(error.filename))
    if error.errno != errno.ENOENT or not path.parent.is_dir():
        return ""
    known = sorted(each.name for each in path.parent.iterdir())
    if path.parent == Path():
        known.append(SHIPPED)
    return did_you_mean(path.name, known)
