"""Writes unicode.hpp: what `tokenizers` takes for a letter, number, mark, space and lower case.

The tables are read off the library itself, so that the native splitter agrees with it.
Run it as `python core/make_unicode.py > core/unicode.hpp`.
"""

import sys
from collections.abc import Iterator

import tokenizers
from tokenizers import Regex
from tokenizers.normalizers import Lowercase
from tokenizers.pre_tokenizers import Split, WhitespaceSplit

CODES = [code for code in range(0x110000) if not 0xD800 <= code < 0xE000]
CLASSES = {"LETTER": r"\p{L}", "NUMBER": r"\p{N}", "MARK": r"\p{M}", "WHITE": r"\s"}
DOTTED_CAPITAL_I = 0x130  # the one character that two lower-case ones stand for


def matching(pattern: str) -> set[int]:
    """The code points that a character class of the library's regular expressions holds."""
    split = Split(Regex(pattern), behavior="removed", invert=True)
    text = "".join(map(chr, CODES))
    return {ord(match) for match, _ in split.pre_tokenize_str(text)}


def separating() -> set[int]:
    """The code points at which the library's WhitespaceSplit splits."""
    split = WhitespaceSplit()
    return {code for code in CODES if len(split.pre_tokenize_str(f"a{chr(code)}a")) == 2}


def classes() -> list[tuple[int | str, ...]]:
    """Where a run of code points of one class begins, and the class's initial."""
    members = {name: matching(pattern) for name, pattern in CLASSES.items()}
    assert members["WHITE"] == separating(), "the regular expression's white space differs"
    of_code = dict.fromkeys(CODES, "S")
    for name, codes in members.items():
        of_code.update(dict.fromkeys(codes, name[0]))
    runs: list[tuple[int | str, ...]] = []
    for code in CODES:
        if not runs or runs[-1][1] != of_code[code]:
            runs.append((code, of_code[code]))
    return runs


def capitals() -> list[tuple[int | str, ...]]:
    """Ranges (first, last, step, distance to the lower-case character)."""
    lower = Lowercase().normalize_str
    changed = {code: text for code in CODES if (text := lower(chr(code))) != chr(code)}
    assert changed.pop(DOTTED_CAPITAL_I) == "i\u0307"
    ranges = [(0, 0, 1, 0)]
    for code, text in changed.items():
        first, last, step, distance = ranges[-1]
        gap = code - last
        if ord(text) - code == distance and gap <= 2 and (first == last or gap == step):
            ranges[-1] = (first, code, gap, distance)
        else:
            ranges.append((code, code, 1, ord(text) - code))
    return list(ranges[1:])


def lines(items: list[str]) -> Iterator[str]:
    """The items as rows of at most 100 columns."""
    row = "   "
    for item in items:
        if len(row) + len(item) + 1 > 100:
            yield row
            row = "   "
        row += " " + item
    yield row


def table(declaration: str, rows: list[tuple[int | str, ...]], form: str) -> str:
    """A C++ array, each of its rows written in the given form."""
    return "\n".join([f"{declaration} = {{", *lines([form.format(*row) for row in rows]), "};"])


def main() -> None:
    sys.stdout.write(f"""\
// Written by make_unicode.py from tokenizers {tokenizers.__version__}; do not edit.
// clang-format off
#pragma once

#include <cstdint>

namespace cmow::unicode {{

enum Class : uint8_t {{ SYMBOL, {", ".join(CLASSES)} }};

struct Run {{
    uint32_t first;  // the run lasts until the next one begins
    Class of;
}};

struct Capitals {{
    uint32_t first, last, step;
    int32_t to_lower;
}};

inline constexpr Class S = SYMBOL, L = LETTER, N = NUMBER, M = MARK, W = WHITE;

{table("inline constexpr Run RUNS[]", classes(), "{{{:#x},{}}},")}

{table("inline constexpr Capitals CAPITALS[]", capitals(), "{{{},{},{},{}}},")}

}}  // namespace cmow::unicode
""")


if __name__ == "__main__":
    main()
