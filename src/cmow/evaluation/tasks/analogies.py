"""Google's analogies: Athens is to Greece as Baghdad is to … Iraq."""

from typing import NamedTuple

import numpy as np

from cmow.arrays import Booleans, Int64s
from cmow.errors import FormatError
from cmow.evaluation.data import DataFolder, Row
from cmow.evaluation.task import Model, Result, Task
from cmow.evaluation.word_vectors import Words, words_of

FILE = "wordsim/questions-words.txt"
BLOCK = 1024


class Question(NamedTuple):
    """Four words: the first is to the second as the third to the fourth."""

    words: tuple[str, ...]
    syntactic: bool


class Analogies(Task[list[Question]]):
    """The word nearest to b − a + c, the three given ones left out, among the whole vocabulary."""

    name, group, metric = "Analogies", "words", "accuracy"

    def read(self, data: DataFolder) -> list[Question]:
        """Read questions under headings such as ": gram3-comparative"."""
        questions, syntactic = [], False
        for row in data.rows(FILE, 1):
            line = row.columns[0]
            if line.startswith(":"):
                syntactic = line[1:].strip().startswith("gram")
            else:
                questions.append(Question(_four(row), syntactic))
        if not questions:
            raise FormatError(f"{data.find(FILE)}: no question")
        return questions

    def texts(self, material: list[Question]) -> list[str]:  # noqa: ARG002
        """None: words are looked up, not encoded."""
        return []

    def score(self, material: list[Question], model: Model, *, seed: int) -> Result:  # noqa: ARG002
        """Accuracy on the questions whose words are known, for each part; the best is the score."""
        scores, best, coverage = {}, 0.0, 0.0
        for words in words_of(model.encoder):
            found = [[words.find(word) for word in question.words] for question in material]
            known = np.array([None not in rows for rows in found])
            coverage = 100 * float(known.mean())
            rows = np.array([r for r, k in zip(found, known, strict=True) if k], np.int64)
            correct = _answers(words, rows.reshape(-1, 4)) == rows.reshape(-1, 4)[:, 3]
            syntactic = np.array([question.syntactic for question in material])[known]
            scores[words.part] = _percentage(correct)
            scores[f"{words.part}, semantic"] = _percentage(correct[~syntactic])
            scores[f"{words.part}, syntactic"] = _percentage(correct[syntactic])
            best = max(best, scores[words.part])
        return Result(best, {**scores, "coverage": coverage})


def _four(row: Row) -> tuple[str, ...]:
    words = tuple(row.columns[0].split())
    if len(words) != 4:
        raise row.fault(f"expected 4 words, found {len(words)}")
    return words


def _answers(words: Words, rows: Int64s) -> Int64s:
    answers = np.empty(len(rows), np.int64)
    for start in range(0, len(rows), BLOCK):
        first, second, third = rows[start : start + BLOCK, :3].T
        wanted = words.vectors[second] - words.vectors[first] + words.vectors[third]
        closeness = wanted @ words.vectors.T
        for given in (first, second, third):
            closeness[np.arange(len(closeness)), given] = -np.inf
        answers[start : start + BLOCK] = closeness.argmax(axis=1)
    return answers


def _percentage(correct: Booleans) -> float:
    return 100 * float(correct.mean()) if correct.size else 0.0
