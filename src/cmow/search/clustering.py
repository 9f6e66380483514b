"""Texts in as many groups as are wanted, by scikit-learn's k-means."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Floats
from cmow.choices import Invalid
from cmow.encoder import Encoder
from cmow.errors import ConfigError, require
from cmow.numbers import meant
from cmow.search.embedded import Member, embed
from cmow.search.entries import Entry, Inputs

SAMPLE = 131_072  # texts at most that the centers are learned from
BATCH = 4096


def find_clusters(
    encoder: Encoder,
    texts_or_files: Inputs,
    k: int,
    *,
    seed: int = 0,
    column: str | None = None,
    invalid: Invalid = "fail",
    threads: int | None = None,
) -> Iterator[Member]:
    """Texts in ``k`` clusters, the largest first, and in each the most typical text first.

    Centers are learned by mini-batch k-means; the similarity is that with the center. Texts without
    a known word belong to none.

    :param column: the column of the texts, if the files are tables
    """
    require("sklearn", "cluster")
    if k < 1:
        raise ConfigError(f"k must be at least 1, not {k}")
    entries, rows = embed(encoder, texts_or_files, column=column, invalid=invalid, threads=threads)
    if len(rows) < k:
        raise ConfigError(f"{len(rows):,} texts with a known word make no {k:,} clusters")
    return _grouped(entries, rows, _centres(rows, k, seed))


def _centres(rows: NDArray[Any], k: int, seed: int) -> Floats:
    from sklearn.cluster import MiniBatchKMeans

    rng = np.random.default_rng(seed)
    chosen = rng.permutation(len(rows))[: max(SAMPLE, k)]
    learner = MiniBatchKMeans(k, batch_size=BATCH, n_init=3, random_state=seed)
    centres: Floats = learner.fit(meant(rows[chosen], None)).cluster_centers_
    norms = np.linalg.norm(centres, axis=1, keepdims=True)
    return (centres / np.where(norms > 0, norms, 1)).astype(np.float32)


def _grouped(entries: list[Entry], rows: NDArray[Any], centres: Floats) -> Iterator[Member]:
    nearest, similarities = np.empty(len(rows), np.int64), np.empty(len(rows), np.float32)
    for start in range(0, len(rows), BATCH):
        some = slice(start, start + BATCH)
        cosines = meant(rows[some], None) @ centres.T
        nearest[some] = cosines.argmax(1)
        similarities[some] = cosines.max(1)
    sizes = np.bincount(nearest, minlength=len(centres))
    ranks = np.argsort(np.argsort(-sizes, kind="stable"), kind="stable")
    for row in np.lexsort((-similarities, ranks[nearest])).tolist():
        similarity = min(float(similarities[row]), 1.0)
        yield Member(int(ranks[nearest[row]]) + 1, similarity, entries[row])
