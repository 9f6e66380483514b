"""The splitting of our own tokenizer kinds, written as the `tokenizers` library reads it.

core/splitter.hpp and core/scanner.hpp do the same, natively.
"""

from collections.abc import Sequence
from itertools import product
from typing import Any, get_args

from cmow.choices import Splitter
from cmow.errors import FormatError

KINDS: tuple[Splitter, ...] = get_args(Splitter)
UNKNOWN = "out of vocabulary"  # has blanks, so that no splitting yields it

# Typographic characters and how the treebank writes them.
PLAIN_FORMS = {"[‘’]": "'", "[“”]": '"', "[‐‑]": "-", "—": "--", "…": "..."}

# What the treebank writes as two words.
HALVES = {"can": "not", "gim": "me", "gon": "na", "got": "ta", "lem": "me", "wan": "na"}


def _any_case(text: str) -> str:
    return "".join(f"[{letter}{letter.upper()}]" if letter.isalpha() else letter for letter in text)


def _any_of(*texts: str) -> str:
    return "(?:" + "|".join(map(_any_case, texts)) + ")"


def _word_pattern() -> str:
    """The alternatives for a token of raw text; the first that matches is taken."""
    inside = r"[\p{L}\p{N}\p{M}\x{200C}\x{200D}]"  # with the joiners of Persian and others
    letter, number, either = r"\p{L}", r"\p{N}", r"[\p{L}\p{N}]"
    end = f"(?!{inside})"
    not_ = _any_case("n't") + end
    contraction = _any_of("s", "m", "d", "t", "ll", "re", "ve")
    joint = (
        f"-(?={either})",  # well-known
        f"(?<={number})[.,](?={number})",  # 1,000.5
        f"'(?={letter})(?!{contraction}{end})",  # o'clock, but not it's
    )
    return "|".join(
        (
            *(
                _any_case(first) + f"(?={_any_case(second)}{end})"
                for first, second in HALVES.items()
            ),
            not_,
            f"'(?:{contraction}|[0-9][0-9][sS]){end}",  # 's and '70s
            rf"{letter}(?:\.{letter}{end})+\.?",  # U.S. and e.g.
            f"{either}(?:(?!{not_})(?:{inside}|{'|'.join(joint)}))*",
            r"\.\.\.|--|``|''",
            r"\S\p{M}*",
        )
    )


WORD_PATTERN = _word_pattern()


def describe(kind: Splitter, lowercase: bool, words: Sequence[str]) -> dict[str, Any]:
    """The tokenizer.json of one of our kinds; the id behind the last word is the unknown's."""
    vocabulary = {word: number for number, word in enumerate(words)}
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": _normalizer(kind, lowercase),
        "pre_tokenizer": _pre_tokenizer(kind),
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "WordLevel",
            "vocab": {**vocabulary, UNKNOWN: len(words)},
            "unk_token": UNKNOWN,
        },
    }


def recognise(description: dict[str, Any]) -> tuple[Splitter, bool, list[str]] | None:
    """Kind, lower-casing and words of a tokenizer.json of ours; None if it is another's."""
    model = description.get("model")
    for kind, lowercase in product(KINDS, (False, True)):
        ours = describe(kind, lowercase, ())
        same_splitting = {**description, "model": None} == {**ours, "model": None}
        if same_splitting and isinstance(model, dict) and model.get("unk_token") == UNKNOWN:
            return kind, lowercase, _words(model)
    return None


def _words(model: dict[str, Any]) -> list[str]:
    """The words of a model of ours in the order of their ids, which leave no gap."""
    vocabulary = model.get("vocab")
    if not isinstance(vocabulary, dict):
        raise FormatError("the model has no vocabulary")
    words = list(vocabulary)
    if list(vocabulary.values()) != list(range(len(words))):  # as they are unless edited
        words = _sorted_words(vocabulary)
    if words[-1:] != [UNKNOWN]:
        raise FormatError(f"the last id is not that of {UNKNOWN!r}")
    return words[:-1]


def _sorted_words(vocabulary: dict[str, Any]) -> list[str]:
    for word, number in vocabulary.items():
        if type(number) is not int or not 0 <= number < len(vocabulary):
            raise FormatError(f"the word {word!r} has the id {number!r}, beyond the vocabulary")
    words = sorted(vocabulary, key=vocabulary.__getitem__)
    for number, word in enumerate(words):
        if vocabulary[word] != number:
            raise FormatError(f"no word has the id {number}")
    return words


def _normalizer(kind: Splitter, lowercase: bool) -> dict[str, Any] | None:
    steps: list[dict[str, Any]] = []
    if kind == "words":
        steps += [
            {"type": "Replace", "pattern": {"Regex": pattern}, "content": plain}
            for pattern, plain in PLAIN_FORMS.items()
        ]
    if lowercase:
        steps.append({"type": "Lowercase"})
    return {"type": "Sequence", "normalizers": steps} if steps else None


def _pre_tokenizer(kind: Splitter) -> dict[str, Any]:
    if kind == "whitespace":
        return {"type": "WhitespaceSplit"}
    return {
        "type": "Split",
        "pattern": {"Regex": WORD_PATTERN},
        "behavior": "Removed",
        "invert": True,
    }
