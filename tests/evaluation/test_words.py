from types import SimpleNamespace

import numpy as np
import pytest
from senteval import write

from cmow.encoder import Part, PartShape
from cmow.errors import FormatError
from cmow.evaluation import TASKS, DataFolder, evaluate

WORDS = ["king", "queen", "man", "woman", "Paris", "apple"]
# Gender along one axis, royalty along another: king − man + woman = queen.
VECTORS = np.array(
    [[1, 1, 0, 0], [-1, 1, 0, 0], [1, 0, 0, 0], [-1, 0, 0, 0], [0, 0, 5, 0], [0, 0, 0, 2]],
    np.float32,
)


class Encoder:
    """An encoder with word vectors, and the same as matrices around the identity."""

    def __init__(self):
        matrices = VECTORS + np.eye(2, dtype=np.float32).ravel()
        self.vocabulary = SimpleNamespace(words=WORDS)
        self.parts = [
            Part("cbow", PartShape.parse("sum(4)"), VECTORS),
            Part("cmow", PartShape.parse("product(2)"), matrices),
        ]

    def encode(self, texts):
        return np.ones((len(texts), 2))


def result(tmp_path, task, lines):
    write(tmp_path / TASKS[task].file if task != "Analogies" else tmp_path / ANALOGIES, lines)
    report = evaluate(Encoder(), data=tmp_path, tasks=[task])
    return report.runs["model"][task].result


ANALOGIES = "wordsim/questions-words.txt"


def test_similarity(tmp_path):
    lines = ["king\tqueen\t5", "man\twoman\t1", "KING\tman\t9", "queen\tbanana\t10"]
    found = result(tmp_path, "MEN", lines)
    # Cosines 0, −1 and 1/√2, in the order of the scores; "KING" is found as "king".
    assert found.scores == pytest.approx({"cbow": 100, "cmow": 100, "coverage": 75})
    assert found.score == pytest.approx(100)


def test_nothing_known(tmp_path):
    found = result(tmp_path, "RG-65", ["pear\tplum\t5"])
    assert found.score == found.scores["coverage"] == 0


def test_analogies(tmp_path):
    lines = [
        ": family",
        "man king woman queen",
        "man woman king queen",
        "man king woman apple",
        "man pear woman plum",
        ": gram1-adjective",
        "king man queen woman",
    ]
    found = result(tmp_path, "Analogies", lines)
    assert found.scores["cbow"] == found.scores["cmow"] == found.score == 75
    assert found.scores["cbow, semantic"] == pytest.approx(200 / 3)
    assert found.scores["cbow, syntactic"] == 100
    assert found.scores["coverage"] == 80


def test_malformed_lines(tmp_path):
    write(tmp_path / ANALOGIES, [": family", "only three words"])
    with pytest.raises(FormatError, match=r"questions-words\.txt:2: expected 4 words, found 3"):
        TASKS["Analogies"].read(DataFolder(tmp_path))
    write(tmp_path / "wordsim/EN-MEN-TR-3k.txt", ["sun\tlight"])
    with pytest.raises(FormatError, match=r"MEN-TR-3k\.txt:1: expected 3 columns, found 2"):
        TASKS["MEN"].read(DataFolder(tmp_path))


def test_encoders_without_words_are_left_out(tmp_path):
    write(tmp_path / TASKS["MEN"].file, ["king\tqueen\t5"])
    report = evaluate(lambda texts: np.ones((len(texts), 2)), data=tmp_path, tasks=["MEN", "Swap"])
    assert set(report.runs["model"]) == {"Swap"}
    assert report.left_out["model"] == {"MEN": "the encoder has no parts with word vectors"}


def test_the_real_encoder_has_words(tmp_path):
    from cmow import Encoder as Real
    from cmow.text import Tokenizer, Vocabulary

    write(tmp_path / TASKS["MEN"].file, ["king\tqueen\t5", "man\tking\t3", "man\tapple\t1"])
    tokenizer = Tokenizer.whitespace(Vocabulary(WORDS))
    encoder = Real.initialize(tokenizer, "sum(9)+product(5)")
    report = evaluate(encoder, data=tmp_path, tasks=["MEN", "movement"])
    assert set(report.runs["model"]["MEN"].result.scores) == {"cbow", "cmow", "coverage"}
    assert report.runs["model"]["Arguments"].result.score > 0
    bag = evaluate(encoder.part("cbow"), data=tmp_path, tasks=["movement"])
    assert {run.result.score for run in bag.runs["model"].values()} == {0}
