"""Errors that a user can mend, told in one line; anything else is a bug, with its traceback."""

from typing import Any

from cmow.errors import ConfigError, DivergenceError, FormatError, MissingExtraError

MENDABLE = (ConfigError, FormatError, DivergenceError, MissingExtraError, OSError)


def explain(error: Exception) -> str | None:
    """The line to show for an error, empty if all is said already, or None if it is a bug."""
    if hasattr(error, "format_message"):  # misuse found by the argument parser
        return _usage(error)
    if isinstance(error, OSError) and error.strerror and error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, MENDABLE):
        return " ".join(str(error).split())
    return None


def _usage(error: Any) -> str:
    message = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    if not message or context is None:  # a group of commands alone has shown its help
        return message
    return f"{message} (see '{context.command_path} --help')"
