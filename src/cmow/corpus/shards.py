"""Sentences as ids on disk, each of them at hand without reading the others."""

import hashlib
import json
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Int32s, Int64s
from cmow.corpus.integrity import check_ids, check_offsets
from cmow.corpus.manifest import Manifest
from cmow.durable import read_whole
from cmow.errors import FormatError
from cmow.text import Tokenizer, Vocabulary

IDS = "ids.int32"
OFFSETS = "offsets.int64"
COUNTS = "counts.int64"
TOKENIZER = "tokenizer.json"


class Corpus:
    """A prepared corpus; its ids are mapped into memory and read where they are needed.

    :param flat: the ids of all sentences, one sentence behind the other
    :param offsets: where each sentence starts, and where the last one ends
    :param tokenizer: what made the ids; its vocabulary knows how often each word occurs
    """

    def __init__(
        self,
        flat: Int32s,
        offsets: Int64s,
        tokenizer: Tokenizer,
        manifest: Manifest,
    ) -> None:
        self.flat = flat
        self.offsets = offsets
        self.tokenizer = tokenizer
        self.manifest = manifest

    @classmethod
    def open(cls, folder: str | Path) -> "Corpus":
        """Open what `prepare` has written, also while another process prepares it anew."""
        return read_whole(Path(folder), cls._read)

    @classmethod
    def _read(cls, folder: Path) -> "Corpus":
        manifest = Manifest.read(folder)
        flat = _map(folder / IDS, "<i4", manifest.statistics.tokens)
        offsets = _map(folder / OFFSETS, "<i8", manifest.statistics.sentences + 1)
        counts = np.fromfile(folder / COUNTS, "<i8").astype(np.int64)
        tokenizer = Tokenizer.from_file(folder / TOKENIZER, counts=counts)
        check_ids(folder / IDS, words=len(tokenizer.vocabulary))
        check_offsets(folder / OFFSETS, tokens=len(flat))
        return cls(flat, offsets, tokenizer, manifest)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, sentence: int) -> Int32s:
        """The ids of one sentence."""
        if not -len(self) <= sentence < len(self):
            raise IndexError(f"sentence {sentence} of a corpus of {len(self)}")
        start, end = self.offsets[sentence % len(self) :][:2]
        return self.flat[start:end]

    def __repr__(self) -> str:
        return f"Corpus({len(self):,} sentences, {self.tokens:,} tokens, {self.vocabulary!r})"

    @property
    def tokens(self) -> int:
        """How many ids there are."""
        return len(self.flat)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words and how often each occurs in the text."""
        return self.tokenizer.vocabulary

    @property
    def fingerprint(self) -> str:
        """A hash of the text and of the settings it was prepared with."""
        key = [self.manifest.version, self.manifest.settings, self.manifest.content]
        return hashlib.blake2b(json.dumps(key).encode(), digest_size=16).hexdigest()

    def summary(self) -> str:
        """What is in it and what was left out, in one line."""
        statistics = self.manifest.statistics
        words = int(self.vocabulary.counts.sum()) + statistics.unknown
        parts = [
            f"{len(self):,} sentences",
            f"{self.tokens:,} tokens",
            f"vocabulary of {len(self.vocabulary):,}",
            f"{statistics.unknown / words:.1%} of all tokens unknown",
            f"{statistics.lines - len(self):,} lines with fewer than two known words left out",
        ]
        if statistics.invalid:
            parts.append(f"{statistics.invalid:,} lines not UTF-8")
        return ", ".join(parts)


def _map(path: Path, kind: str, size: int) -> NDArray[Any]:
    expected = size * np.dtype(kind).itemsize
    if path.stat().st_size != expected:
        raise FormatError(
            f"{path}: {path.stat().st_size} bytes instead of {expected}; prepare the corpus again"
        )
    # As a plain array: slices of np.memmap cost ten times as much.
    return np.asarray(np.memmap(path, kind, "r", shape=(size,)))


class ShardWriter:
    """Appends sentences to the files of a preparation."""

    def __init__(self, folder: Path) -> None:
        self._ids = (folder / IDS).open("wb")
        self._offsets = (folder / OFFSETS).open("wb")
        self._offsets.write(np.zeros(1, "<i8").data)
        self.sentences = 0
        self.tokens = 0

    def add(self, flat: Int32s, lengths: Int64s) -> None:
        """Append the ids of some sentences.

        :param lengths: how many of the ids each sentence has
        """
        self._ids.write(flat.astype("<i4", copy=False).data)
        self._offsets.write((self.tokens + np.cumsum(lengths)).astype("<i8", copy=False).data)
        self.sentences += len(lengths)
        self.tokens += len(flat)

    def __enter__(self) -> "ShardWriter":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._ids.close()
        self._offsets.close()
