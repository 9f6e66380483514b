"""What becomes of lines that are not UTF-8."""

import logging
from typing import get_args

from cmow.choices import Invalid
from cmow.errors import ConfigError, FormatError

INVALID: tuple[str, ...] = get_args(Invalid)

_logger = logging.getLogger("cmow.corpus")
_WARNINGS = 10
_CURE = (
    "convert the text to UTF-8, or replace or skip such lines with --invalid, where a command "
    "has it"
)
_DONE = {"replace": "replaced what is not", "skip": "skipped it"}


class InvalidLines:
    """Mends blocks of lines by one policy and counts the lines that needed it."""

    def __init__(self, policy: Invalid, *, log: bool = True) -> None:
        if policy not in INVALID:
            raise ConfigError(f"invalid must be one of {', '.join(INVALID)}, not {policy!r}")
        self.policy = policy
        self.count = 0
        self.log = log

    def mend(self, data: bytes, source: str, first_line: int) -> bytes:
        """The same lines as valid UTF-8.

        :param first_line: number of the first line in its source
        """
        if data.isascii() or _problem(data) is None:
            return data
        lines = data.split(b"\n")
        mended = (self._line(line, source, first_line + i) for i, line in enumerate(lines))
        return b"\n".join(line for line in mended if line is not None)

    def _line(self, line: bytes, source: str, number: int) -> bytes | None:
        problem = _problem(line)
        if problem is None:
            return line
        place = f"{source}:{number}: not UTF-8 ({problem})"
        if self.policy == "fail":
            raise FormatError(f"{place}; {_CURE}")
        self.count += 1
        if self.log and self.count <= _WARNINGS:
            more = "; further ones are not shown" if self.count == _WARNINGS else ""
            _logger.warning("%s; %s%s", place, _DONE[self.policy], more)
        return line.decode(errors="replace").encode() if self.policy == "replace" else None


def _problem(data: bytes) -> str | None:
    try:
        data.decode()
    except UnicodeDecodeError as error:
        return f"byte 0x{data[error.start]:02x} at position {error.start + 1}"
    return None
