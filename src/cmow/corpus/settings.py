"""What `prepare` can be told."""

from collections.abc import Iterator
from dataclasses import dataclass

from cmow.corpus.encoding import INVALID, Invalid
from cmow.errors import ConfigError

SPLITTERS = ("words", "whitespace")


@dataclass(frozen=True)
class PrepareSettings:
    """How text becomes ids; whatever changes them is in here and nothing else."""

    tokenizer: str = "words"  # words, whitespace, or the path of a tokenizer.json
    lowercase: bool = True  # of words and whitespace; a tokenizer.json decides for itself
    vocabulary_size: int = 30_000  # most frequent words that are kept
    minimum_count: int = 1  # occurrences that a word needs to be kept
    word_list: str | None = None  # path of a vocabulary of one's own, a word a line
    split: bool = False  # running text is split into sentences, else a line is one
    language: str = "en"  # ISO code, for split
    invalid: Invalid = "fail"  # what to do with lines that are not UTF-8: fail, replace, skip

    def __post_init__(self) -> None:
        problems = list(self._problems())
        if problems:
            raise ConfigError("; ".join(problems))

    @property
    def learns_vocabulary(self) -> bool:
        """Whether the words are counted first, rather than given."""
        return self.tokenizer in SPLITTERS and self.word_list is None

    def _problems(self) -> Iterator[str]:
        for name in ("tokenizer", "language"):
            if not isinstance(getattr(self, name), str) or not getattr(self, name):
                yield f"{name} must be a word, not {getattr(self, name)!r}"
        for name in ("lowercase", "split"):
            if not isinstance(getattr(self, name), bool):
                yield f"{name} must be true or false, not {getattr(self, name)!r}"
        for name, least in (("vocabulary_size", 2), ("minimum_count", 1)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                yield f"{name} must be a number from {least} on, not {value!r}"
        if self.invalid not in INVALID:
            yield f"invalid must be one of {', '.join(INVALID)}, not {self.invalid!r}"
        if self.word_list is not None and self.tokenizer not in SPLITTERS:
            yield f"word_list goes with tokenizer words or whitespace, not {self.tokenizer!r}"
