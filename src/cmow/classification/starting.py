"""What training starts from: an encoder, brought to the words of the texts."""

import os
from pathlib import Path

import numpy as np

from cmow.arrays import Floats, Int32s, Int64s
from cmow.corpus import SPLITTERS
from cmow.encoder import Encoder, Part, load
from cmow.text import Ids, Tokenizer, Vocabulary


def start_of(start: Encoder | str | os.PathLike[str] | None) -> Encoder | None:
    """The encoder to start from: a model folder's, or the vectors of a file."""
    if start is None or isinstance(start, Encoder):
        return start
    path = Path(start)
    return Encoder.from_vectors(path, lowercase=True) if path.is_file() else load(path)


def in_words(start: Encoder, learnt: Tokenizer) -> tuple[Tokenizer, list[Part]]:
    """A tokenizer that knows the start's words and those of texts, and the start's rows of them.

    Labels are learned better of words than of pieces: a new word starts at the mean of its pieces,
    and goes its own way. Those without any come last, and have no row.
    """
    own, pieces = start.tokenizer, start.tokenizer.kind not in SPLITTERS
    whole = _whole_words(own) if pieces else np.arange(len(own.vocabulary))
    words = [own.vocabulary.words[number] for number in whole]
    known = set(words)
    new = [word for word in learnt.vocabulary.words if word not in known]
    found = own.ids(new)
    made = np.diff(found.offsets) > 0
    new = [new[n] for n in np.flatnonzero(made)] + [new[n] for n in np.flatnonzero(~made)]
    counts = np.concatenate([own.vocabulary.counts[whole], np.ones(len(new), np.int64)])
    tokenizer = (learnt if pieces else own).replace_vocabulary(Vocabulary([*words, *new], counts))
    parts = []
    for part in start.parts:
        rows = part.rows()
        rows = np.concatenate([rows[whole], _means(rows, found.flat, found.offsets[:-1][made])])
        parts.append(Part(part.name, part.shape, rows))
    return tokenizer, parts


def _whole_words(tokenizer: Tokenizer) -> Int64s:
    """Those that are one piece: themselves."""
    ids: Ids = tokenizer.ids(tokenizer.vocabulary.words)
    single = np.flatnonzero(np.diff(ids.offsets) == 1)
    whole: Int64s = single[ids.flat[ids.offsets[single]] == single]
    return whole


def _means(rows: Floats, flat: Int32s, begins: Int64s) -> Floats:
    """Of the rows of each word's pieces; words without any are left out."""
    if not len(begins):
        return rows[:0]
    counts = np.diff(np.append(begins, len(flat))).reshape(-1, 1)
    means = np.add.reduceat(rows[flat], begins) / counts
    return means.astype(np.float32)
