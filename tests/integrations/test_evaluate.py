"""`cmow evaluate` on models of other libraries."""

import sys

import numpy as np
import pytest

from cmow.cli import main


@pytest.fixture
def evaluate(monkeypatch, capsys):
    """Run the command; gives exit code and stdout."""

    def call(*models: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["cmow", "evaluate", *models, "--tasks", "Swap,Reverse"])
        with pytest.raises(SystemExit) as leaving:
            main()
        return leaving.value.code or 0, capsys.readouterr().out

    return call


def test_sentence_transformers(evaluate, model, tmp_path):
    from sentence_transformers import SentenceTransformer

    from cmow.integrations.sentence_transformers import CMOW

    place = tmp_path / "sentences"
    SentenceTransformer(modules=[CMOW.load(model)]).save(str(place))
    code, shown = evaluate(model, f"st:{place}")
    assert code == 0
    rows = [line.split(" | ") for line in shown.splitlines() if line.startswith(("| hy", "| se"))]
    np.testing.assert_allclose(*[[float(cell) for cell in row[1:3]] for row in rows[:2]], atol=0.1)


def test_model2vec(evaluate, texts, tmp_path):
    model2vec = pytest.importorskip("model2vec")
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import Whitespace

    words = ["[UNK]", *sorted({word for text in texts for word in text.split()})]
    tokenizer = Tokenizer(WordLevel({word: row for row, word in enumerate(words)}, "[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    vectors = np.random.default_rng(0).normal(size=(len(words), 8)).astype(np.float32)
    place = tmp_path / "static"
    model2vec.StaticModel(vectors, tokenizer).save_pretrained(place)
    code, shown = evaluate(f"m2v:{place}")
    assert code == 0
    assert "| static | 0.0 | 0.0 |" in shown  # a bag of words does not see order
