"""Where the vectors of words start if a teacher's vectors of texts are known."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Floats
from cmow.corpus import Corpus
from cmow.text import Vocabulary
from cmow.training.objectives.gathering import gather

FREQUENT = 1e-3  # share of the corpus at which a word counts half
TEXTS = 200_000  # are enough
BLOCK = 2_048  # texts


def vectors_of_texts(vectors: NDArray[np.floating[Any]], corpus: Corpus) -> Floats:
    """The mean vector of the texts that a word stands in, frequent words less long."""
    chosen = np.arange(0, len(corpus), max(-(-len(corpus) // TEXTS), 1))
    mean = np.mean(vectors[chosen], axis=0, dtype=np.float64)
    sums = np.zeros((len(corpus.vocabulary), vectors.shape[1]))
    counts = np.zeros(len(sums), np.int64)
    for start in range(0, len(chosen), BLOCK):
        texts = chosen[start : start + BLOCK]
        ids, lengths = gather(corpus, texts)
        of_text = np.repeat(np.arange(len(texts)), lengths)
        order = np.argsort(ids, kind="stable")
        words, firsts, found = np.unique(ids[order], return_index=True, return_counts=True)
        rows = (np.asarray(vectors[texts], np.float64) - mean)[of_text[order]]
        sums[words] += np.add.reduceat(rows, firsts)
        counts[words] += found
    means = (sums / (counts + 1)[:, None]).astype(np.float32)
    return less_of_frequent_words(means, corpus.vocabulary)


def less_of_frequent_words(vectors: Floats, vocabulary: Vocabulary) -> Floats:
    """Vectors that are the shorter the more often their words occur."""
    counts = vocabulary.counts
    shares = counts / max(counts.sum(), 1)
    weighted: Floats = vectors * (FREQUENT / (FREQUENT + shares))[:, None].astype(np.float32)
    return weighted
