"""The words of some texts of a corpus, wherever they stand in it."""

import numpy as np

from cmow.arrays import Int32s, Int64s
from cmow.corpus import Corpus


def gather(corpus: Corpus, texts: Int64s) -> tuple[Int32s, Int64s]:
    """The ids of texts, one behind the other, and how many each has."""
    starts = np.asarray(corpus.offsets)[texts]
    lengths = np.asarray(corpus.offsets)[texts + 1] - starts
    before = np.cumsum(lengths) - lengths
    places = np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
    return corpus.flat[places], lengths
