"""Texts to ids, by our own native splitting or by any tokenizer file."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, Protocol

from cmow.choices import Splitter
from cmow.errors import ConfigError, FormatError
from cmow.parsing import parse_json
from cmow.text.ids import Ids
from cmow.text.native import NativeSplitting
from cmow.text.pipeline import recognise
from cmow.text.vocabulary import Counts, Vocabulary
from cmow.text.wordpiece import WordPieceSplitting, plan_of
from cmow.threads import thread_count

Kind = Splitter | Literal["custom"]


class Splitting(Protocol):
    """What a tokenizer is made of."""

    @property
    def kind(self) -> Kind: ...

    lowercase: bool
    vocabulary: Vocabulary

    def split(self, texts: Sequence[str]) -> list[list[str]]: ...
    def ids(self, texts: Sequence[str], threads: int) -> Ids: ...
    def ids_of_lines(self, block: bytes) -> Ids: ...
    def to_json(self) -> str: ...


class Tokenizer:
    """Splits texts into tokens and gives each its id; make one with a class method."""

    def __init__(self, splitting: Splitting) -> None:
        self._splitting = splitting

    @classmethod
    def whitespace(cls, vocabulary: Vocabulary, *, lowercase: bool = False) -> "Tokenizer":
        """For texts that are tokenized already: splits at white space, keeps their case."""
        return cls(NativeSplitting("whitespace", lowercase, vocabulary))

    @classmethod
    def words(cls, vocabulary: Vocabulary, *, lowercase: bool = True) -> "Tokenizer":
        """For raw texts: splits off punctuation and English contractions like the Penn treebank."""
        return cls(NativeSplitting("words", lowercase, vocabulary))

    @classmethod
    def from_file(cls, path: str | Path, *, counts: Counts | None = None) -> "Tokenizer":
        """Read a tokenizer.json, saved by `save` or by the `tokenizers` library.

        :param counts: how often each token occurs in the corpus, which the file does not say
        """
        try:
            return cls(_splitting(Path(path).read_bytes(), counts))
        except (FormatError, ConfigError) as error:
            raise FormatError(
                f"{path}: no tokenizer to be had from it: {error}; save it again with "
                f"Tokenizer.save or the tokenizers library"
            ) from None

    @property
    def kind(self) -> Kind:
        """'whitespace', 'words' or, for a file of another's making, 'custom'."""
        return self._splitting.kind

    @property
    def lowercase(self) -> bool:
        """Whether our own splitting puts texts into lower case first."""
        return self._splitting.lowercase

    @property
    def vocabulary(self) -> Vocabulary:
        """The tokens that have an id."""
        return self._splitting.vocabulary

    def __repr__(self) -> str:
        return f"Tokenizer({self.kind}, lowercase={self.lowercase}, {len(self.vocabulary)} tokens)"

    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """The tokens of each text, known or not."""
        return self._splitting.split(texts)

    def ids(self, texts: Sequence[str], *, threads: int | None = None) -> Ids:
        """The ids of each text's tokens; unknown ones are discarded and counted.

        :param threads: all cores when None; the same ids for any number
        """
        return self._splitting.ids(texts, thread_count(threads))

    def ids_of_lines(self, block: bytes) -> Ids:
        """The ids of each line of a block of UTF-8, on the calling thread, without the GIL."""
        return self._splitting.ids_of_lines(block)

    def save(self, path: str | Path) -> None:
        """Write a tokenizer.json, which the `tokenizers` library reads too."""
        Path(path).write_text(self.to_json(), encoding="utf-8", newline="\n")

    def to_json(self) -> str:
        """The content of a tokenizer.json: all that decides on the ids."""
        return self._splitting.to_json()

    def replace_vocabulary(self, vocabulary: Vocabulary) -> "Tokenizer":
        """A tokenizer with the same splitting and other words."""
        if self.kind == "custom":
            raise ConfigError("a tokenizer file brings its own vocabulary: read another file")
        return Tokenizer(NativeSplitting(self.kind, self.lowercase, vocabulary))


def _splitting(data: bytes, counts: Counts | None) -> Splitting:
    try:
        description = parse_json(data)
    except FormatError as error:
        raise FormatError(f"not JSON ({error})") from None
    if not isinstance(description, dict) or not isinstance(description.get("model"), dict):
        raise FormatError("it has no model")
    ours = recognise(description)
    if ours is not None:
        kind, lowercase, words = ours
        return NativeSplitting(kind, lowercase, Vocabulary(words, counts))
    plan = plan_of(description)
    if plan is not None:
        return WordPieceSplitting(description, plan, counts)
    from cmow.text.custom import CustomSplitting  # the library takes a while to import

    return CustomSplitting(description, counts)
