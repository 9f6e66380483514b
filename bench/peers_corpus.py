"""The text that all peers learn from, with the same words, and how much of it there is time for."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from cmow.corpus import Corpus, PrepareSettings, prepare, read_lines
from cmow.paper.probing import CORPUS_SETTINGS, build_unparsed

SENTENCES = 65_536  # written at a time


def cpu_seconds() -> float:
    """What this process and those that it has waited for have used, over all threads."""
    return sum(os.times()[:4])


def prepared(text: Path, folder: Path) -> Corpus:
    """The text in lower case; words beyond the most frequent 30,000 are left out of it."""
    return prepare([text], folder, PrepareSettings(tokenizer="whitespace"))


def sentences(corpus: Corpus) -> Iterator[str]:
    """Its sentences, as text again."""
    words = np.array(corpus.vocabulary.words, dtype=object)
    for start in range(0, len(corpus), SENTENCES):
        offsets = corpus.offsets[start : start + SENTENCES + 1]
        block = words[corpus.flat[offsets[0] : offsets[-1]]]
        for begin, end in zip(offsets - offsets[0], offsets[1:] - offsets[0], strict=False):
            yield " ".join(block[begin:end])


def write_words(corpus: Corpus, count: int, file: Path) -> Path:
    """As many of its first sentences as have so many words, a sentence a line."""
    fitting = int(np.searchsorted(corpus.offsets, count, side="right")) - 1
    with file.open("w", encoding="utf-8") as lines:
        lines.writelines(f"{text}\n" for text in islice(sentences(corpus), max(fitting, 1)))
    return file


def affordable(words: float, *, text: int, passes: int) -> tuple[int, int]:
    """How many words of a text to learn from and how often, where there is time for so many.

    A part of the text is gone through once: more text is worth more than the same text again.
    """
    if words < text:
        return int(words), 1
    return text, min(passes, int(words // text))


def word_order_task(held_out: Path, folder: Path) -> Path:
    """A folder with BShift; it is the same set as `cmow probing build` makes of the text."""
    if not folder.is_dir():
        build_unparsed(list(read_lines(held_out)), folder, CORPUS_SETTINGS, source=held_out.name)
    return folder
