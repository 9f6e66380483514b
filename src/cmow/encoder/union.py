"""Puts separately trained encoders side by side over one vocabulary."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from cmow.encoder.part import Part
from cmow.encoder.shapes import unique_names
from cmow.errors import ConfigError
from cmow.text import Tokenizer, Vocabulary


def unite_tokenizers(tokenizers: Sequence[Tokenizer]) -> Tokenizer:
    """A tokenizer that splits as all of these do and knows the words of each."""
    first = tokenizers[0]
    for other in tokenizers[1:]:
        if (other.kind, other.lowercase) != (first.kind, first.lowercase):
            raise ConfigError(
                f"cannot concatenate encoders that split texts differently: {_splitting(first)} "
                f"and {_splitting(other)}"
            )
        if first.kind == "custom" and other.to_json() != first.to_json():
            raise ConfigError("cannot concatenate encoders with different custom tokenizers")
    counts: dict[str, int] = {}
    for tokenizer in tokenizers:
        vocabulary = tokenizer.vocabulary
        for word, count in zip(vocabulary.words, vocabulary.counts.tolist(), strict=True):
            counts[word] = max(count, counts.get(word, 0))
    if first.kind == "custom" or list(counts.values()) == first.vocabulary.counts.tolist():
        return first
    return first.replace_vocabulary(Vocabulary(tuple(counts), list(counts.values())))


def unite_parts(
    parts: Sequence[Sequence[Part]], vocabularies: Sequence[Vocabulary], union: Vocabulary
) -> list[Part]:
    """The parts of all encoders with a row for each word of the union.

    A word that an encoder does not know gets the neutral element, which is what discarding it in
    a text amounts to: no embedding changes.
    """
    widened = [
        _widen(part, vocabulary, union)
        for of_one, vocabulary in zip(parts, vocabularies, strict=True)
        for part in of_one
    ]
    names = unique_names([part.name for part in widened])
    return [
        replace(part, name=name, known=part.magnitudes)
        for part, name in zip(widened, names, strict=True)
    ]


def _widen(part: Part, vocabulary: Vocabulary, union: Vocabulary) -> Part:
    if vocabulary.words == union.words:
        return part
    neutral = part.shape.neutral_row()
    if neutral is None:
        raise ConfigError(
            f"part {part.name!r}: no row of {part.shape} leaves a word out: concatenate encoders "
            "of one vocabulary"
        )
    rows = np.array([union.index(word) for word in vocabulary.words], np.int64)
    table = np.zeros((len(union), part.table.shape[1]), part.table.dtype)
    scales = None
    if part.scales is None:
        table[:] = neutral
    else:
        scales = np.zeros(len(union), np.float32)
        scales[rows] = part.scales
    table[rows] = part.table
    return replace(part, table=table, scales=scales)


def _splitting(tokenizer: Tokenizer) -> str:
    return f"{tokenizer.kind} ({'lower-cased' if tokenizer.lowercase else 'case as it is'})"
