"""The native splitting gives what the `tokenizers` library makes of the saved file."""

import re
from pathlib import Path

import numpy as np
import pytest
import tokenizers
from hypothesis import given, settings
from hypothesis import strategies as st
from unicode_texts import texts

from cmow.text import Tokenizer, Vocabulary

CORE = Path(__file__).parents[2] / "core"
NOTHING = Vocabulary(())
VARIANTS = [
    pytest.param(make, lowercase, id=f"{make.__name__}-{lowercase}")
    for make in (Tokenizer.whitespace, Tokenizer.words)
    for lowercase in (False, True)
]


def reference(tokenizer, folder):
    tokenizer.save(folder / "tokenizer.json")
    return tokenizers.Tokenizer.from_file(str(folder / "tokenizer.json"))


def split_by_library(library, text):
    normal = library.normalizer.normalize_str(text) if library.normalizer else text
    return [token for token, _ in library.pre_tokenizer.pre_tokenize_str(normal)]


@pytest.mark.parametrize(("make", "lowercase"), VARIANTS)
def test_tokens_are_those_of_the_library(make, lowercase, tmp_path):
    tokenizer = make(NOTHING, lowercase=lowercase)
    library = reference(tokenizer, tmp_path)

    @settings(max_examples=500, deadline=None)
    @given(texts)
    def check(text):
        assert tokenizer.split([text]) == [split_by_library(library, text)]

    check()


@pytest.mark.parametrize(("make", "lowercase"), VARIANTS)
def test_ids_are_those_of_the_library(make, lowercase, tmp_path_factory):
    @settings(max_examples=50, deadline=None)
    @given(st.lists(texts, max_size=6), st.data())
    def check(batch, data):
        tokens = sorted(
            {token for row in make(NOTHING, lowercase=lowercase).split(batch) for token in row}
        )
        known = data.draw(st.lists(st.sampled_from(tokens), unique=True) if tokens else st.just([]))
        tokenizer = make(Vocabulary(known), lowercase=lowercase)
        library = reference(tokenizer, tmp_path_factory.mktemp("tokenizer"))
        rows = [encoding.ids for encoding in library.encode_batch(batch)]
        kept = [[number for number in row if number < len(known)] for row in rows]
        ids = tokenizer.ids(batch)
        assert ids.flat.tolist() == [number for row in kept for number in row]
        assert ids.offsets.tolist() == [sum(map(len, kept[:i])) for i in range(len(batch) + 1)]
        assert ids.discarded == sum(map(len, rows)) - len(ids.flat)

    check()


def made_with():
    return re.search(r"tokenizers (\S+);", (CORE / "unicode.hpp").read_text()).group(1)


@pytest.mark.skipif(tokenizers.__version__ != made_with(), reason="another version of Unicode")
@pytest.mark.parametrize(("make", "lowercase"), VARIANTS)
def test_every_code_point_is_classed_as_by_the_library(make, lowercase, tmp_path):
    tokenizer = make(NOTHING, lowercase=lowercase)
    library = reference(tokenizer, tmp_path)
    dense = [*range(0xD800), *range(0xE000, 0x20000), *range(0xE0000, 0xE0200)]
    codes = [*dense, *range(0x20000, 0x110000, 251)]
    for start in range(0, len(codes), 4000):
        text = "".join(f"a{chr(code)}2,{chr(code)}" for code in codes[start : start + 4000])
        assert tokenizer.split([text]) == [split_by_library(library, text)]


@pytest.mark.parametrize("make", [Tokenizer.whitespace, Tokenizer.words])
@settings(max_examples=50, deadline=None)
@given(batch=st.lists(texts, max_size=8))
def test_lines_of_a_block_are_texts(make, batch):
    batch = [text.replace("\n", " ") for text in batch]
    words = sorted({token for row in make(NOTHING).split(batch) for token in row})
    tokenizer = make(Vocabulary(words[::2]))
    for ending in ("\n", "\r\n"):
        block = "".join(text + ending for text in batch).encode()
        of_lines, of_texts = tokenizer.ids_of_lines(block), tokenizer.ids(batch)
        np.testing.assert_array_equal(of_lines.flat, of_texts.flat)
        np.testing.assert_array_equal(of_lines.offsets, of_texts.offsets)
        assert of_lines.discarded == of_texts.discarded


@pytest.mark.parametrize(("make", "lowercase"), VARIANTS)
@settings(max_examples=200, deadline=None)
@given(block=st.binary(max_size=60))
def test_invalid_bytes_are_replacement_characters(make, lowercase, block):
    """Byte by byte: our decoder replaces each bad byte, Python's a run of them."""
    tokenizer = make(NOTHING, lowercase=lowercase)
    line = block.replace(b"\n", b" ")
    replaced = line.decode("utf-8", "surrogateescape")
    replaced = re.sub("[\udc80-\udcff]", "\ufffd", replaced)
    words = Vocabulary(sorted(set(tokenizer.split([replaced])[0])))
    tokenizer = make(words, lowercase=lowercase)
    np.testing.assert_array_equal(tokenizer.ids_of_lines(line).flat, tokenizer.ids([replaced]).flat)
    assert tokenizer.ids_of_lines(line).discarded == 0
