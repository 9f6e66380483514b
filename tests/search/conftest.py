import pytest
from travel_words import WORDS

from cmow.encoder import Encoder
from cmow.text import Tokenizer, Vocabulary


@pytest.fixture(scope="session")
def tokenizer():
    return Tokenizer.whitespace(Vocabulary(WORDS, range(len(WORDS), 0, -1)))


@pytest.fixture(scope="session")
def hybrid(tokenizer):
    return Encoder.initialize(tokenizer, "product(5)+sum(7)+mean(windows(3))", seed=3, sigma=0.3)
