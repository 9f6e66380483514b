"""The words that an encoder knows, and how often each occurred."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from cmow.arrays import Int64s
from cmow.choices import MINIMUM_COUNT, VOCABULARY_SIZE
from cmow.errors import ConfigError, FormatError

Counts = Sequence[int] | Int64s

WHITE_SPACE = re.compile(r"[^\S\x1c-\x1f]")  # these four are white space to Python alone
SURROGATE = re.compile(r"[\ud800-\udfff]")


class Vocabulary:
    """An immutable list of words; the place of a word is its id.

    :param counts: how often each word occurs in the corpus; zeros when that is unknown
    """

    words: tuple[str, ...]
    counts: Int64s

    def __init__(self, words: Sequence[str], counts: Counts | None = None) -> None:
        fault = _first_fault(words)
        if fault is not None:
            raise ConfigError(f"words[{fault[0]}]: {fault[1]}")
        self._fill(words, counts)

    @classmethod
    def of_pieces(cls, pieces: Sequence[str], counts: Counts | None = None) -> "Vocabulary":
        """The vocabulary of a sub-word tokenizer, whose pieces may well hold white space."""
        vocabulary = cls.__new__(cls)
        vocabulary._fill(pieces, counts)
        return vocabulary

    @classmethod
    def from_counts(
        cls,
        counts: Mapping[str, int],
        *,
        size: int = VOCABULARY_SIZE,
        minimum_count: int = MINIMUM_COUNT,
    ) -> "Vocabulary":
        """The most frequent words; equally frequent ones in the order of their code points."""
        if size < 1:
            raise ConfigError(f"size is {size}: a vocabulary has at least one word")
        frequent = [word for word, count in counts.items() if count >= minimum_count]
        frequent.sort(key=lambda word: (-counts[word], word))
        return cls(frequent[:size], [counts[word] for word in frequent[:size]])

    @classmethod
    def from_file(cls, path: str | Path) -> "Vocabulary":
        """Read an own word list: a word a line, or a word, a tab and its count."""
        words, counts = [], []
        for number, line in enumerate(_read_lines(Path(path)), start=1):
            word, tab, count = line.partition("\t")
            if tab and not re.fullmatch("[0-9]{1,18}", count):
                raise FormatError(f"{path}:{number}: {count!r} is no count: write a whole number")
            words.append(word)
            counts.append(int(count or 0))
        fault = _first_fault(words)
        if fault is not None:
            raise FormatError(f"{path}:{fault[0] + 1}: {fault[1]}")
        return cls(words, counts)

    def _fill(self, words: Sequence[str], counts: Counts | None) -> None:
        self.words = tuple(words)
        self.counts = np.zeros(len(words), np.int64) if counts is None else _checked(counts, words)
        self.counts.setflags(write=False)
        self._index = {word: number for number, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._index

    def __repr__(self) -> str:
        return f"Vocabulary({len(self)} words)"

    def index(self, word: str) -> int:
        """The id of a word; KeyError if it is not there."""
        return self._index[word]

    def get(self, word: str) -> int | None:
        """The id of a word, or None if it is not there."""
        return self._index.get(word)


def _first_fault(words: Sequence[str]) -> tuple[int, str] | None:
    """Where the first bad word is, what is wrong with it and how to mend that."""
    if isinstance(words, str):
        raise ConfigError(f"words is one str, {words!r}: pass a list of them")
    if _faultless(words):
        return None
    seen = set()
    for number, word in enumerate(words):
        if not isinstance(word, str):
            return number, f"{word!r} is {type(word).__name__}, not str"
        if not word:
            return number, "an empty word: remove it"
        if WHITE_SPACE.search(word):
            return number, f"{word!r} holds white space, which no word can: remove it"
        if SURROGATE.search(word):
            return number, f"{word!r} holds a lone surrogate, which is no character: remove it"
        if word in seen:
            return number, f"{word!r} was there before: remove one of the two"
        seen.add(word)
    return None


def _faultless(words: Sequence[str]) -> bool:
    """Whether nothing is wrong, found out at once: a model is to open in no time."""
    try:
        together = "".join(words)
    except TypeError:
        return False
    bad = WHITE_SPACE.search(together) or SURROGATE.search(together)
    return not bad and all(words) and len(set(words)) == len(words)


def _checked(counts: Counts, words: Sequence[str]) -> Int64s:
    array = np.array(counts, dtype=np.int64)
    if array.shape != (len(words),):
        raise ConfigError(f"{array.size} counts for {len(words)} words: give one a word")
    if np.any(array < 0):
        number = int(np.argmin(array))
        raise ConfigError(f"the count of {words[number]!r} is {array[number]}: give 0 or more")
    if array.sum(dtype=np.float64) >= 2.0**62:
        raise ConfigError(f"the counts add up to {array.sum(dtype=np.float64):.3g}: give real ones")
    return array


def _read_lines(path: Path) -> list[str]:
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise FormatError(f"{path}:{line}: not UTF-8: save the word list as UTF-8") from None
    lines = [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]
    if lines == [""]:
        raise FormatError(f"{path}: no words in it: write a word a line")
    return lines
