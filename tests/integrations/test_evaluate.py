"""`cmow evaluate` on models of other libraries."""

import sys

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

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


@pytest.fixture
def vectors(texts):
    """A tokenizer, and a vector for each of its words."""
    words = ["[UNK]", *sorted({word for text in texts for word in text.split()})]
    tokenizer = Tokenizer(WordLevel({word: row for row, word in enumerate(words)}, "[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    rows = np.random.default_rng(0).normal(size=(len(words), 8)).astype(np.float32)
    return tokenizer, rows


def test_sentence_transformers(evaluate, model, vectors, tmp_path):
    library = pytest.importorskip("sentence_transformers")
    from sentence_transformers.models import StaticEmbedding

    place = tmp_path / "sentences"
    tokenizer, rows = vectors
    module = StaticEmbedding(tokenizer, embedding_weights=rows)
    library.SentenceTransformer(modules=[module], device="cpu").save(str(place))
    code, shown = evaluate(model, f"st:{place}")
    assert code == 0
    assert "| hybrid | " in shown
    assert "| sentences | 0.0 | 0.0 |" in shown  # a bag of words does not see order
    assert evaluate(f"st:{tmp_path / 'nothing'}")[0] == 2


def test_model2vec(evaluate, vectors, tmp_path):
    library = pytest.importorskip("model2vec")
    place = tmp_path / "static"
    tokenizer, rows = vectors
    library.StaticModel(rows, tokenizer).save_pretrained(place)
    code, shown = evaluate(f"m2v:{place}")
    assert code == 0
    assert "| static | 0.0 | 0.0 |" in shown
    assert evaluate(f"m2v:{tmp_path / 'nothing'}")[0] == 2
