import pytest
import tokenizers
from some_words import WORDS

from cmow.encoder import Encoder
from cmow.text import Tokenizer, Vocabulary


@pytest.fixture
def vocabulary():
    return Vocabulary(WORDS, range(len(WORDS), 0, -1))


@pytest.fixture
def tokenizer(vocabulary):
    return Tokenizer.whitespace(vocabulary)


@pytest.fixture
def sub_words(tmp_path_factory):
    """A tokenizer file of another library's making."""
    vocabulary = {piece: n for n, piece in enumerate(["[UNK]", "dog", "##s", "bit", "man"])}
    library = tokenizers.Tokenizer(tokenizers.models.WordPiece(vocabulary, unk_token="[UNK]"))
    library.pre_tokenizer = tokenizers.pre_tokenizers.WhitespaceSplit()
    path = tmp_path_factory.mktemp("tokenizer") / "tokenizer.json"
    library.save(str(path))
    return Tokenizer.from_file(path)


@pytest.fixture
def hybrid(tokenizer):
    return Encoder.initialize(tokenizer, "sum(7)+product(5)", seed=3, sigma=0.1)
