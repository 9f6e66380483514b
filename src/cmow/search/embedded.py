"""Texts with their embeddings in memory, to be compared with one another."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cmow.choices import Invalid
from cmow.encoder import Encoder
from cmow.numbers import stored
from cmow.search.entries import Entry, Inputs, batches, read_entries


class Embedded(NamedTuple):
    """Texts that have a known word, and a float16 unit vector for each."""

    entries: list[Entry]
    rows: NDArray[Any]


def embed(
    encoder: Encoder,
    texts_or_files: Inputs,
    *,
    column: str | None = None,
    invalid: Invalid = "fail",
    threads: int | None = None,
) -> Embedded:
    """Embed texts; those without a known word are left out."""
    entries, pieces, comparable = [], [], encoder.comparable()
    for batch in batches(read_entries(texts_or_files, column=column, invalid=invalid)):
        ids = encoder.tokenizer.ids([entry.text for entry in batch], threads=threads)
        known = np.diff(ids.offsets) > 0
        units = comparable.encode_ids(ids.flat, ids.offsets, normalize="all", threads=threads)
        pieces.append(stored(np.asarray(units[known], np.float32), "float16")[0])
        entries += [entry for entry, is_known in zip(batch, known, strict=True) if is_known]
    rows = np.concatenate(pieces) if pieces else np.zeros((0, encoder.dim), np.float16)
    return Embedded(entries, rows)


class Member(NamedTuple):
    """A text of a cluster.

    :param cluster: its number, from 1 on
    :param similarity: the cosine with what the cluster is around
    """

    cluster: int
    similarity: float
    entry: Entry
