"""Writes unicode.hpp: what `tokenizers` takes for a letter, number, mark, space and lower case.

And what its BERT takes for a control, Chinese or punctuation character and for an accent.
The tables are read off the library itself, so that the native splitters agree with it.
Run it as `python core/make_unicode.py > core/unicode.hpp`.
"""

import sys
from collections.abc import Iterator
from unicodedata import combining

import tokenizers
from tokenizers import Regex
from tokenizers.normalizers import NFD, BertNormalizer, Lowercase
from tokenizers.pre_tokenizers import BertPreTokenizer, Split, WhitespaceSplit

CODES = [code for code in range(0x110000) if not 0xD800 <= code < 0xE000]
CLASSES = {"LETTER": r"\p{L}", "NUMBER": r"\p{N}", "MARK": r"\p{M}", "WHITE": r"\s"}
DOTTED_CAPITAL_I = 0x130  # the one character that two lower-case ones stand for
HANGUL = range(0xAC00, 0xD7A4)  # syllables, which are decomposed by a formula
LAST_MARK = "\u0345"  # the only one of the last class
LARGEST_GROWTH = 3  # of the UTF-8 of a normalized text


def matching(pattern: str) -> set[int]:
    """The code points that a character class of the library's regular expressions holds."""
    split = Split(Regex(pattern), behavior="removed", invert=True)
    text = "".join(map(chr, CODES))
    return {ord(match) for match, _ in split.pre_tokenize_str(text)}


def separating() -> set[int]:
    """The code points at which the library's WhitespaceSplit splits."""
    split = WhitespaceSplit()
    return {code for code in CODES if len(split.pre_tokenize_str(f"a{chr(code)}a")) == 2}


def runs_of(of_code: dict[int, int | str]) -> list[tuple[int | str, ...]]:
    """Where a run of code points with one value begins, and the value."""
    runs: list[tuple[int | str, ...]] = []
    for code in CODES:
        if not runs or runs[-1][1] != of_code[code]:
            runs.append((code, of_code[code]))
    return runs


def classes() -> list[tuple[int | str, ...]]:
    """Where a run of code points of one class begins, and the class's initial."""
    members = {name: matching(pattern) for name, pattern in CLASSES.items()}
    assert members["WHITE"] == separating(), "the regular expression's white space differs"
    of_code: dict[int, int | str] = dict.fromkeys(CODES, "S")
    for name, codes in members.items():
        of_code.update(dict.fromkeys(codes, name[0]))
    return runs_of(of_code)


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


def normaliser(*, clean: bool = False, space: bool = False, strip: bool = False) -> BertNormalizer:
    """BERT's with no more than what is named."""
    return BertNormalizer(
        clean_text=clean, handle_chinese_chars=space, strip_accents=strip, lowercase=False
    )


def bert_traits() -> dict[str, set[int]]:
    """The code points that BERT treats in a way of their own, by the name of the trait."""
    clean = normaliser(clean=True).normalize_str
    space = normaliser(space=True).normalize_str
    strip = normaliser(strip=True).normalize_str
    decompose = NFD().normalize_str
    split = BertPreTokenizer().pre_tokenize_str
    return {
        "CONTROL": {code for code in CODES if clean(f"a{chr(code)}a") == "aa"},
        "BLANK": {code for code in CODES if len(split(f"a{chr(code)}a")) == 2},
        "PUNCTUATION": {code for code in CODES if len(split(f"a{chr(code)}a")) == 3},
        "CHINESE": {code for code in CODES if space(chr(code)) == f" {chr(code)} "},
        "COMPOSED": {code for code in CODES if decompose(chr(code)) != chr(code)},
        "ACCENT": {code for code in CODES if not strip(chr(code))},
        "COMBINING": {code for code in CODES if moves_before(LAST_MARK, code)} | {ord(LAST_MARK)},
    }


def moves_before(mark: str, code: int) -> bool:
    """Whether the canonical order puts a character before a mark that it follows."""
    decompose = NFD().normalize_str
    alone = decompose(chr(code))
    return alone == chr(code) and decompose(mark + alone) != mark + alone


def bert_runs(traits: dict[str, set[int]]) -> list[tuple[int | str, ...]]:
    """Where a run of code points with the same traits begins, and their sum."""
    of_code: dict[int, int | str] = {}
    for code in CODES:
        of_code[code] = sum(1 << i for i, codes in enumerate(traits.values()) if code in codes)
    return runs_of(of_code)


def decompositions(traits: dict[str, set[int]]) -> list[tuple[int | str, ...]]:
    """Code points and what the library's NFD makes of each."""
    decompose = NFD().normalize_str
    for code in HANGUL:
        lead, rest = divmod(code - HANGUL.start, 21 * 28)
        vowel, tail = divmod(rest, 28)
        jamo = [0x1100 + lead, 0x1161 + vowel, *([0x11A7 + tail] if tail else [])]
        assert decompose(chr(code)) == "".join(map(chr, jamo))
    rows: list[tuple[int | str, ...]] = []
    for code in sorted(traits["COMPOSED"].difference(HANGUL)):
        parts = [f"{ord(part):#x}" for part in decompose(chr(code))]
        assert len(parts) <= 4
        rows.append((code, ",".join(parts)))
    return rows


def combining_classes(traits: dict[str, set[int]]) -> list[tuple[int | str, ...]]:
    """Ranges (first, last, class) of the marks that are put in order, but are no accents."""
    examples = {combining(chr(code)): chr(code) for code in sorted(traits["COMBINING"])[::-1]}
    ranges: list[tuple[int, int, int]] = []
    for code in sorted(traits["COMBINING"] - traits["ACCENT"]):
        name = max(name for name, mark in examples.items() if not moves_before(mark, code))
        assert not moves_before(chr(code), ord(examples[name])), "a class without an example"
        if ranges and ranges[-1][1:] == (code - 1, name):
            ranges[-1] = (ranges[-1][0], code, name)
        else:
            ranges.append((code, code, name))
    return list(ranges)


def check_growth(traits: dict[str, set[int]]) -> None:
    """Whatever the options, the normalized text has room."""
    decompose, lower = NFD().normalize_str, Lowercase().normalize_str
    for code in CODES:
        forms = (lower(chr(code)), decompose(chr(code)), lower(decompose(chr(code))))
        largest = max(len(form.encode()) for form in forms) + 2 * (code in traits["CHINESE"])
        assert largest <= LARGEST_GROWTH * len(chr(code).encode())


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
    traits = bert_traits()
    check_growth(traits)
    flags = ", ".join(f"{name} = {1 << i}" for i, name in enumerate(traits))
    constants, row = "inline constexpr", "{{{:#x},{{{}}}}},"
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

{table(f"{constants} Run RUNS[]", classes(), "{{{:#x},{}}},")}

{table(f"{constants} Capitals CAPITALS[]", capitals(), "{{{},{},{},{}}},")}

// What BERT makes of a character, as a sum.
enum Trait : uint8_t {{ {flags} }};

struct TraitRun {{
    uint32_t first;  // the run lasts until the next one begins
    uint8_t of;
}};

struct Decomposition {{
    uint32_t code, parts[4];  // canonical, with zeros behind
}};

struct CombiningClass {{
    uint32_t first, last, of;
}};

constexpr int LARGEST_GROWTH = {LARGEST_GROWTH};  // of the UTF-8 of a text that is normalized

{table(f"{constants} TraitRun TRAIT_RUNS[]", bert_runs(traits), "{{{:#x},{}}},")}

{table(f"{constants} Decomposition DECOMPOSITIONS[]", decompositions(traits), row)}

// Of the marks that BERT keeps.
{table(f"{constants} CombiningClass CLASSES[]", combining_classes(traits), "{{{:#x},{:#x},{}}},")}

}}  // namespace cmow::unicode
""")


if __name__ == "__main__":
    main()
