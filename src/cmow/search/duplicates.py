"""Texts that say nearly the same: clusters of near-duplicates, found by comparing all with all."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow import _core
from cmow.arrays import Int64s
from cmow.choices import Invalid
from cmow.encoder import Encoder
from cmow.errors import ConfigError
from cmow.numbers import meant, native
from cmow.search.embedded import Member, embed
from cmow.search.entries import Entry, Inputs
from cmow.search.sketches import sketch
from cmow.threads import thread_count

QUERIES = 240  # rows that are compared with all others at a time
ROUNDING = 1e-3  # of cosines of float16 rows: equal texts are not to be told apart


def find_duplicates(
    encoder: Encoder,
    texts_or_files: Inputs,
    *,
    threshold: float = 0.95,
    column: str | None = None,
    invalid: Invalid = "fail",
    threads: int | None = None,
) -> Iterator[Member]:
    """Texts whose cosine is at least the threshold, and all that are linked through others.

    Those of one cluster come together, in the order of the texts. Texts without a known word belong
    to none; the similarity is that with the first text. Memory grows with the number of texts, time
    with its square.

    :param column: the column of the texts, if the files are tables
    """
    if not 0 < threshold <= 1:
        raise ConfigError(f"threshold must be above 0 and at most 1, not {threshold}")
    entries, rows = embed(encoder, texts_or_files, column=column, invalid=invalid, threads=threads)
    return _clustered(entries, rows, _labels(rows, threshold - ROUNDING, thread_count(threads)))


def _labels(rows: NDArray[Any], threshold: float, threads: int) -> Int64s:
    """The first row of each row's cluster."""
    labels = np.arange(len(rows), dtype=np.int64)
    if len(rows) == 0:
        return labels
    sketches, scales, margin = sketch(rows)
    clusters = _core.Clusters(len(rows))
    for first in range(0, len(rows), QUERIES):
        some = slice(first, first + QUERIES)
        clusters.link(
            (native(rows[first:]), None, None, meant(rows[some], None)),
            (sketches[first:], scales[first:], None, meant(sketches[some], scales[some])),
            first, threshold, margin, threads,
        )  # fmt: skip
    clusters.labels(labels)
    return labels


def _clustered(entries: list[Entry], rows: NDArray[Any], labels: Int64s) -> Iterator[Member]:
    _, counts = np.unique(labels, return_counts=True)
    order = np.argsort(labels, kind="stable")
    ends = np.cumsum(counts)
    number = 0
    for end, count in zip(ends.tolist(), counts.tolist(), strict=True):
        if count == 1:
            continue
        number += 1
        members = order[end - count : end]
        units = meant(rows[members], None)
        for row, similarity in zip(members.tolist(), (units @ units[0]).tolist(), strict=True):
            yield Member(number, min(similarity, 1.0), entries[row])
