"""A corpus and evaluation sets so small that experiments take seconds."""

from pathlib import Path

import pytest

from cmow.corpus import Corpus, PrepareSettings, prepare
from cmow.paper.grammar import Grammar

EXPERIMENT = """
title = "Small"
kind = "{kind}"
compare = "both"

[training]
max_updates = 4
schedule = "constant"
validation_updates = 2
batch_sentences = 32

[models.sums]
shape = "sum(4)"

[models.both]
shape = "sum(4)+product(3)"

[rows.sum]
encoder = "sums"
paper = "CBOW/784"

[rows.part]
encoder = "both:cmow"

[rows.joined]
encoder = "sums + both:cmow"

[rows.both]
encoder = "both"
paper = "Hybrid"
seeds = 2
"""


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    texts = [sentence.text for sentence in Grammar(3).sentences(1500)]
    folder = tmp_path_factory.mktemp("corpus") / "prepared"
    return prepare(texts, folder, PrepareSettings(tokenizer="whitespace"))


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two probing sets in SentEval's format: long or short, with or without "the"."""
    folder = tmp_path_factory.mktemp("senteval")
    texts = list(dict.fromkeys(sentence.text for sentence in Grammar(4).sentences(300)))
    (folder / "probing").mkdir()
    labels = {
        "sentence_length.txt": lambda text: len(text.split()) > 8,
        "bigram_shift.txt": lambda text: "the" in text.split(),
    }
    for file, label in labels.items():
        lines = [
            f"{('tr', 'tr', 'va', 'te')[number % 4]}\t{int(label(text))}\t{text}\n"
            for number, text in enumerate(texts)
        ]
        (folder / "probing" / file).write_text("".join(lines))
    return folder


@pytest.fixture
def declare(tmp_path: Path):
    """Write the small experiment's file, of any kind and with changes."""

    def write(kind: str = "scores", **changes: str) -> Path:
        text = EXPERIMENT.format(kind=kind)
        for old, new in changes.values():
            assert old in text
            text = text.replace(old, new)
        path = tmp_path / f"{kind}.toml"
        path.write_text(text)
        return path

    return write
