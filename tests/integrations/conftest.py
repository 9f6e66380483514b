"""Models for the tests with real libraries."""

import os

# Whatever a library would like to fetch: these tests have what they need.
os.environ.update(HF_HUB_OFFLINE="1", TOKENIZERS_PARALLELISM="false")

import pytest

import cmow
from cmow.encoder import Encoder
from cmow.paper.grammar import Grammar
from cmow.text import Tokenizer, Vocabulary

TEXTS = sorted({sentence.text for sentence in Grammar().sentences(400)})


@pytest.fixture(scope="session")
def texts() -> list[str]:
    return TEXTS


@pytest.fixture(scope="session")
def hybrid() -> Encoder:
    """Vectors and matrices side by side, untrained."""
    words = sorted({word for text in TEXTS for word in text.split()})
    vocabulary = Vocabulary(words, range(len(words), 0, -1))
    return Encoder.initialize(
        Tokenizer.whitespace(vocabulary), "sum(16)+product(5)", seed=2, sigma=0.2
    )


@pytest.fixture(scope="session")
def model(hybrid, tmp_path_factory) -> str:
    """The same in a folder."""
    folder = tmp_path_factory.mktemp("models") / "hybrid"
    hybrid.save(folder)
    return str(folder)


@pytest.fixture(scope="session")
def english() -> Encoder:
    return cmow.load()
