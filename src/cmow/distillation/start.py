"""Where the vectors of words start: with what the teacher makes of single words."""

import numpy as np

from cmow.arrays import Floats
from cmow.distillation.teacher import AnyTeacher, encoding
from cmow.text import Vocabulary
from cmow.training import less_of_frequent_words

WORDS = 2048  # at a time
PIECE = "##"  # before pieces that go on with a word


def vectors_of_words(teacher: AnyTeacher, vocabulary: Vocabulary, *, processes: int) -> Floats:
    """The teacher's vectors of single words, frequent words less long."""
    words = [word.removeprefix(PIECE) for word in vocabulary.words]
    with encoding(teacher, processes) as encode:
        lists = [words[start : start + WORDS] for start in range(0, len(words), WORDS)]
        found = np.concatenate(list(encode(lists)))
    return less_of_frequent_words(found - found.mean(axis=0), vocabulary)
