"""What `prepare` can be told."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import get_args

from cmow.choices import MINIMUM_COUNT, SPLITTER, VOCABULARY_SIZE, Invalid, Splitter
from cmow.settings import Settings, choice, count, optional, setting, switch, text

SPLITTERS: tuple[Splitter, ...] = get_args(Splitter)


@dataclass(frozen=True)
class PrepareSettings(Settings):
    """How text becomes ids; whatever changes them is in here and nothing else."""

    tokenizer: str = setting(
        SPLITTER,
        text("NAME"),
        "what splits texts: words (raw), whitespace (tokenized) or the path of a tokenizer.json",
    )
    lowercase: bool = setting(
        True, switch(), "lower-case the text; a tokenizer.json decides for itself"
    )
    vocabulary_size: int = setting(VOCABULARY_SIZE, count(2), "most frequent words to keep")
    minimum_count: int = setting(
        MINIMUM_COUNT, count(1), "keep words that occur at least this often"
    )
    word_list: str | None = setting(
        None, optional(text("FILE")), "your own vocabulary: a file with one word per line"
    )
    column: str | None = setting(
        None,
        optional(text("NAME")),
        "column of the text in CSV, TSV, JSON lines or Parquet; without it, lines are plain text",
    )
    split: bool = setting(
        False, switch(), "split running text into sentences; without it, each line is one"
    )
    language: str = setting("en", text("CODE"), "ISO code of the language to split")
    invalid: Invalid = setting("fail", choice(Invalid), "what to do with lines that are not UTF-8")

    @property
    def learns_vocabulary(self) -> bool:
        """Whether the words are counted first, rather than given."""
        return self.tokenizer in SPLITTERS and self.word_list is None

    def contradictions(self) -> Iterator[str]:
        """What is wrong with settings that are fine each on its own."""
        if self.word_list is not None and self.tokenizer not in SPLITTERS:
            yield f"word_list goes with tokenizer words or whitespace, not {self.tokenizer!r}"
