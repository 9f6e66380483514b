"""The code blocks of a page, and whether what they print is what the page says."""

import re
from pathlib import Path
from typing import NamedTuple

FENCE = re.compile(r'^```(\w*)(?: title="(.+)")?\n((?:.*\n)*?)```$', re.MULTILINE)
PRINTED = "text"  # the language of a block that shows what the block before it prints
VARYING = re.compile(r"(\d+\.\d+|…)")


class Block(NamedTuple):
    """A fenced block."""

    line: int
    language: str
    file: str  # that it is, or changes; empty if it is to be run
    code: str
    output: str | None  # what the page says that it prints


def blocks_of(page: Path) -> list[Block]:
    """The blocks of a Markdown file in their order."""
    text = page.read_text("utf-8")
    blocks: list[Block] = []
    for found in FENCE.finditer(text):
        language, file, code = found.groups(default="")
        if language == PRINTED:
            blocks[-1] = blocks[-1]._replace(output=code)
        else:
            line = text.count("\n", 0, found.start()) + 2
            blocks.append(Block(line, language, file, code, None))
    return blocks


def agrees(promised: str, printed: str) -> bool:
    """Whether a text is as promised: … is anything, the last digit of a decimal may be one off."""
    pieces = VARYING.split(promised)
    numbers = [piece for piece in pieces[1::2] if piece != "…"]
    pattern = "".join(map(_pattern, pieces))
    found = re.fullmatch(pattern, printed, re.DOTALL)
    return found is not None and all(map(_near, numbers, found.groups()))


def _pattern(piece: str) -> str:
    if piece == "…":
        return ".*?"
    if VARYING.fullmatch(piece):
        return rf"(\d+\.\d{{{_digits(piece)}}})"
    return re.escape(piece)


def _near(number: str, other: str) -> bool:
    return abs(float(number) - float(other)) < 1.5 * 10.0 ** -_digits(number)


def _digits(number: str) -> int:
    return len(number.partition(".")[2])
