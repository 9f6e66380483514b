"""Our own tokenizer kinds on the compiled core."""

import json
from collections.abc import Sequence
from typing import Any

from cmow import _core
from cmow.choices import Splitter
from cmow.text.ids import Ids
from cmow.text.pipeline import describe
from cmow.text.vocabulary import Vocabulary


class NativeSplitting:
    """Splits at white space, or raw text into words; looks the words up in a hash table."""

    def __init__(self, kind: Splitter, lowercase: bool, vocabulary: Vocabulary) -> None:
        self.kind = kind
        self.lowercase = lowercase
        self.vocabulary = vocabulary
        self._words = _core.Words(kind, lowercase, vocabulary.words)

    def __reduce__(self) -> tuple[Any, ...]:  # the compiled table is built anew
        return NativeSplitting, (self.kind, self.lowercase, self.vocabulary)

    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """The words of each text."""
        return self._words.split(texts)

    def ids(self, texts: Sequence[str], threads: int) -> Ids:
        """The ids of the words of each text."""
        return Ids(*self._words.ids(texts, threads))

    def ids_of_lines(self, block: bytes) -> Ids:
        """The ids of the words of each line of a block of UTF-8."""
        return Ids(*self._words.ids_of_lines(block))

    def to_json(self) -> str:
        """The content of a tokenizer.json."""
        description = describe(self.kind, self.lowercase, self.vocabulary.words)
        return json.dumps(description, ensure_ascii=False)
