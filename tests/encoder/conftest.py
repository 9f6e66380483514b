import pytest
from some_words import WORDS

from cmow import _core
from cmow.encoder import Encoder
from cmow.text import Tokenizer, Vocabulary


@pytest.fixture
def vocabulary():
    return Vocabulary(WORDS, range(len(WORDS), 0, -1))


@pytest.fixture
def tokenizer(vocabulary):
    return Tokenizer.whitespace(vocabulary)


@pytest.fixture
def hybrid(tokenizer):
    return Encoder.initialise(tokenizer, "sum(7)+product(5)", seed=3)


@pytest.fixture(params=_core.levels())
def level(request):
    """Run the test on each instruction level that this CPU has."""
    before = _core.level()
    _core.use_level(request.param)
    yield request.param
    _core.use_level(before)
