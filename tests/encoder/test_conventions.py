"""`encode` takes what users of other libraries hand over, and has the methods they look for."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from some_words import WORDS

import cmow
from cmow.encoder import Encoder
from cmow.errors import ConfigError

TEXTS = ["the dog bit the man", "", "not very good"]


def test_a_single_text_has_a_vector(hybrid):
    (embedding,) = hybrid.encode(TEXTS[:1])
    np.testing.assert_array_equal(hybrid.encode(TEXTS[0]), embedding)
    assert hybrid.encode("").shape == (hybrid.dim,)
    assert hybrid.encode(TEXTS[0], dimensions=5, dtype=np.float16).shape == (5,)


@pytest.mark.parametrize(
    "container",
    [
        tuple,
        iter,
        np.array,
        lambda texts: np.array(texts, object),
        lambda texts: (text for text in texts),
        lambda texts: dict.fromkeys(texts).keys(),
        pa.array,
        lambda texts: pa.chunked_array([texts[:1], texts[1:]]),
    ],
)
def test_texts_may_come_in_anything(hybrid, container):
    np.testing.assert_array_equal(hybrid.encode(container(TEXTS)), hybrid.encode(TEXTS))


def test_what_is_no_text_is_named(hybrid):
    for texts in (["a", None], iter(["a", None]), pa.array(["a", None])):
        with pytest.raises(TypeError, match="text 1 is of type NoneType"):
            hybrid.encode(texts)
    with pytest.raises(TypeError, match="ndarray of 2 dimensions"):
        hybrid.encode(np.array([["a", "b"]]))
    for nothing in (3, None):
        with pytest.raises(TypeError, match=r"a text or a list of them, not .* not iterable"):
            hybrid.encode(nothing)
    with pytest.raises(TypeError, match="ndarray of 0 dimensions"):
        hybrid.encode(np.array("a"))
    for encoded in (b"a", bytearray(b"ab")):
        with pytest.raises(TypeError, match="decode them first"):
            hybrid.encode(encoded)


def test_the_names_of_peers(hybrid, capfd):
    expected = hybrid.encode(TEXTS, normalize="all")
    found = hybrid.encode(TEXTS, normalize_embeddings=True, batch_size=2, show_progress_bar=True)
    np.testing.assert_array_equal(found, expected)
    assert capfd.readouterr() == ("", "")  # no bar where there is no terminal
    with pytest.raises(ConfigError, match="one of both, not normalize='parts' beside it"):
        hybrid.encode(TEXTS, normalize_embeddings=True, normalize="parts")
    with pytest.raises(ConfigError, match="batch_size must be at least 1, not 0"):
        hybrid.encode(TEXTS, batch_size=0)
    with pytest.raises(TypeError, match="batchsize"):
        hybrid.encode(TEXTS, batchsize=3)


def test_load_and_version(hybrid, tmp_path):
    hybrid.save(tmp_path / "model")
    loaded = Encoder.load(tmp_path / "model")
    np.testing.assert_array_equal(loaded.encode(TEXTS), hybrid.encode(TEXTS))
    assert cmow.__version__.count(".") == 2
    assert "__version__" in dir(cmow)


def test_nothing_of_the_hub_is_imported_unless_it_is_asked():
    script = (
        "import cmow, sys; encoder = cmow.load(); encoder.similarity('a', 'b');"
        "heavy = {'huggingface_hub', 'rich', 'sklearn', 'torch'} & set(sys.modules);"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", script], check=True)


@pytest.mark.parametrize("shape", ["sum(5)", "sum(4)+product(3)+mean(windows(3))", "projected"])
@pytest.mark.parametrize("normalize", [None, "all"])
def test_tokens_have_rows_and_prefixes(tokenizer, shape, normalize):
    encoder = Encoder.initialize(tokenizer, "sum(4)+product(3)", seed=1, sigma=0.3)
    encoder = (
        encoder.comparable()
        if shape == "projected"
        else Encoder.initialize(tokenizer, shape, seed=1, sigma=0.3)
    )
    texts = ["the dog unheard bit", "", "unheard", WORDS[3]]
    found = encoder.encode_tokens(texts, normalize=normalize)
    assert [tokens.words for tokens in found] == [["the", "dog", "bit"], [], [], [WORDS[3]]]
    beginnings = encoder.encode(["the", "the dog", "the dog bit"], normalize=normalize)
    np.testing.assert_allclose(found[0].prefixes, beginnings, atol=1e-5)
    alone = encoder.encode(["the", "dog", "bit"], normalize=normalize)
    np.testing.assert_allclose(found[0].rows, alone, atol=1e-6)
    assert found[1].rows.shape == found[2].prefixes.shape == (0, encoder.dim)
    single = encoder.encode_tokens(texts[0], normalize=normalize)
    np.testing.assert_array_equal(single.prefixes, found[0].prefixes)
    assert encoder.encode_tokens([]) == []
