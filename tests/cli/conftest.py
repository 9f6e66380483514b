import sys
from pathlib import Path

import pytest

from cmow.cli import main
from cmow.encoder import Encoder
from cmow.text import Tokenizer, Vocabulary

TRAINING = {"recipe": "none", "updates": 12, "epochs": None, "prepare": {"invalid": "fail"}}
WORDS = ("the", "cat", "dog", "chased", "saw", "häuser", "犬")


@pytest.fixture(scope="session")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small untrained hybrid."""
    folder = tmp_path_factory.mktemp("models") / "model"
    tokenizer = Tokenizer.whitespace(Vocabulary(WORDS, range(len(WORDS), 0, -1)))
    encoder = Encoder.initialize(tokenizer, "sum(9)+product(5)", seed=3, sigma=0.1)
    encoder.save(folder, training=TRAINING)
    return folder


@pytest.fixture
def cmow(monkeypatch, capsys):
    """Run the command line in this process: quick; gives exit code, stdout and stderr."""

    def call(*arguments: object) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["cmow", *map(str, arguments)])
        with pytest.raises(SystemExit) as leaving:
            main()
        captured = capsys.readouterr()
        return leaving.value.code or 0, captured.out, captured.err

    return call
