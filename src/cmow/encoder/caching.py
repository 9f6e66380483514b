"""Builds a cache of n-gram products for an encoder's product parts."""

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import numpy as np

from cmow.arrays import Floats, Int32s
from cmow.encoder.composer import Composer
from cmow.encoder.inputs import text_blocks
from cmow.encoder.ngrams import Ngrams, choose_from_counts, choose_from_texts, spell
from cmow.encoder.part import LARGEST_MAGNITUDE, Part
from cmow.errors import ConfigError
from cmow.text import Tokenizer

Ngram = str | tuple[str, ...]


def cache_ngrams(
    tokenizer: Tokenizer,
    parts: Sequence[Part],
    texts_or_counts: Iterable[str] | Mapping[Ngram, int],
    megabytes: float,
) -> Ngrams:
    """Choose n-grams by how often they occur and compute their products."""
    products = [part for part in parts if part.monoid.caches_ngrams]
    if not products:
        raise ConfigError("n-gram products are of use to product parts only: this encoder has none")
    if megabytes <= 0:
        raise ConfigError(f"megabytes must be positive, not {megabytes}")
    most = int(megabytes * 1e6 / sum(4 * part.width for part in products))
    if isinstance(texts_or_counts, Mapping):
        nodes = _choose_from_counts(tokenizer, texts_or_counts, most)
    else:
        nodes = _choose_from_texts(tokenizer, texts_or_counts, most)
    return Ngrams(nodes, {part.name: _products(part, nodes) for part in products})


def _choose_from_texts(tokenizer: Tokenizer, texts: Iterable[str], most: int) -> Int32s:
    blocks = [tokenizer.ids(block) for block in text_blocks(texts)]
    flat = np.concatenate([np.zeros(0, np.int32), *(ids.flat for ids in blocks)])
    lengths = np.concatenate([np.zeros(1, np.int64), *(np.diff(ids.offsets) for ids in blocks)])
    return choose_from_texts(flat, np.cumsum(lengths), words=len(tokenizer.vocabulary), most=most)


def _choose_from_counts(tokenizer: Tokenizer, counts: Mapping[Ngram, int], most: int) -> Int32s:
    known: dict[tuple[int, ...], int] = {}
    for ngram, count in counts.items():
        words = tokenizer.split([ngram])[0] if isinstance(ngram, str) else ngram
        ids = tuple(tokenizer.vocabulary.get(word) for word in words)
        if None not in ids:
            key = cast(tuple[int, ...], ids)
            known[key] = known.get(key, 0) + count
    return choose_from_counts(known, words=len(tokenizer.vocabulary), most=most)


def _products(part: Part, nodes: Int32s) -> Floats:
    flat, offsets = spell(nodes, words=len(part.table))
    elements = np.empty((len(nodes), part.shape.element_width), np.float32)
    Composer([part]).elements(flat, offsets, elements)
    rows = np.ascontiguousarray(elements[:, : part.monoid.element_width])
    largest = np.abs(rows).max(axis=1)
    if ((largest > LARGEST_MAGNITUDE) | (largest < 1 / LARGEST_MAGNITUDE) & (largest > 0)).any():
        raise ConfigError(f"part {part.name!r}: n-gram products too large or small to be kept")
    return rows
