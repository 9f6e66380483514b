import json

import numpy as np
import pytest
import tokenizers

from cmow.errors import ConfigError, FormatError
from cmow.text import Tokenizer, Vocabulary

VOCABULARY = Vocabulary(["the", "dog", "barks", "n't", "do"], [9, 5, 3, 2, 1])
MAKERS = [Tokenizer.whitespace, Tokenizer.words]


def test_unknown_words_are_discarded_and_counted():
    ids = Tokenizer.whitespace(VOCABULARY).ids(["the cat barks", "", "cat", "dog the"])
    assert ids.flat.tolist() == [0, 2, 1, 0]
    assert ids.offsets.tolist() == [0, 2, 2, 2, 4]
    assert ids.discarded == 2
    assert (ids.flat.dtype, ids.offsets.dtype) == (np.int32, np.int64)


def test_no_texts():
    ids = Tokenizer.words(VOCABULARY).ids([])
    assert (ids.flat.tolist(), ids.offsets.tolist(), ids.discarded) == ([], [0], 0)


def test_threads_do_not_change_the_ids():
    generator = np.random.default_rng(1)
    batch = [" ".join(generator.choice(["the", "dog", "cat"], i % 9)) for i in range(3000)]
    one, many = (Tokenizer.words(VOCABULARY).ids(batch, threads=n) for n in (1, 5))
    np.testing.assert_array_equal(one.flat, many.flat)
    np.testing.assert_array_equal(one.offsets, many.offsets)
    assert one.discarded == many.discarded > 0


def test_large_vocabulary_is_found():
    words = [f"w{number}" for number in range(50_000)]
    ids = Tokenizer.whitespace(Vocabulary(words)).ids([" ".join(words), "w50000 w w-1"])
    np.testing.assert_array_equal(ids.flat, np.arange(50_000))
    assert ids.discarded == 3


@pytest.mark.parametrize("length", range(40))
def test_words_of_any_length_are_told_apart(length):
    word = "abcdefgh" * 5
    words = [word[:length] + "x", word[:length] + "y", "x" + word[:length] + "z"]
    assert Tokenizer.whitespace(Vocabulary(words)).ids([" ".join(words)]).flat.tolist() == [0, 1, 2]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("lowercase", [False, True])
def test_a_saved_tokenizer_is_read_again(make, lowercase, tmp_path):
    path = tmp_path / "tokenizer.json"
    make(VOCABULARY, lowercase=lowercase).save(path)
    tokenizers.Tokenizer.from_file(str(path)).save(str(path))  # in the library's own writing
    read = Tokenizer.from_file(path, counts=VOCABULARY.counts)
    assert (read.kind, read.lowercase) == (make.__name__, lowercase)
    assert read.vocabulary.words == VOCABULARY.words
    assert read.vocabulary.counts.tolist() == [9, 5, 3, 2, 1]
    assert read.ids(["DO n't"]).flat.tolist() == ([4, 3] if lowercase else [3])


def test_replaced_vocabulary_keeps_the_splitting():
    tokenizer = Tokenizer.words(VOCABULARY, lowercase=True).replace_vocabulary(Vocabulary(["ca"]))
    assert (tokenizer.kind, tokenizer.lowercase) == ("words", True)
    assert tokenizer.ids(["CAN'T"])[0].tolist() == [0]


@pytest.mark.parametrize("method", ["ids", "split"])
@pytest.mark.parametrize(
    ("bad", "error", "message"),
    [
        (["a", "b", "c", 4], TypeError, r"^texts\[3\] is int, not str$"),
        ([None], TypeError, r"^texts\[0\] is NoneType, not str$"),
        ([b"a"], TypeError, r"^texts\[0\] is bytes, not str$"),
        ("a text", TypeError, r"^texts is one str: pass a list of them, \[text\]$"),
        (None, TypeError, r"^texts is NoneType, not a list of str$"),
        (["a", "\ud800"], ValueError, r"^texts\[1\] holds a lone surrogate.*replace"),
    ],
)
def test_what_is_no_text_is_named(bad, error, message, method):
    with pytest.raises(error, match=message):
        getattr(Tokenizer.words(VOCABULARY), method)(bad)


def test_an_error_of_an_iterable_is_passed_on():
    def broken():
        yield "a"
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        Tokenizer.words(VOCABULARY).ids(broken())


def test_threads_must_be_positive():
    with pytest.raises(ConfigError, match="threads is 0: give 1 or more"):
        Tokenizer.words(VOCABULARY).ids([], threads=0)


def damaged(**changes):
    description = json.loads(Tokenizer.whitespace(VOCABULARY)._splitting.to_json())
    description["model"].update(changes)
    return json.dumps(description)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "not JSON"),
        ('{"model": {"vocab": {"a"', "not JSON"),
        ("[1]", "no model"),
        ("{}", "no model"),
        ('{"model": {"type": "Nothing"}}', "no tokenizer to be had"),
        (damaged(vocab=None), "no vocabulary"),
        (damaged(vocab={"a": 0, "b": 0, "out of vocabulary": 2}), "no word has the id 1"),
        (damaged(vocab={"a": 7, "out of vocabulary": 1}), "'a' has the id 7"),
        (damaged(vocab={"a": "x", "out of vocabulary": 1}), "'a' has the id 'x'"),
        (damaged(vocab={"out of vocabulary": 0, "a": 1}), "the last id"),
        (damaged(vocab={}), "the last id"),
        (damaged(vocab={"a b": 0, "out of vocabulary": 1}), "'a b' holds white space"),
    ],
)
def test_a_damaged_file_is_named_with_the_reason(content, reason, tmp_path):
    path = tmp_path / "tokenizer.json"
    path.write_text(content)
    with pytest.raises(FormatError, match=reason) as caught:
        Tokenizer.from_file(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_wrong_number_of_counts(tmp_path):
    Tokenizer.words(VOCABULARY).save(tmp_path / "tokenizer.json")
    with pytest.raises(FormatError, match="2 counts for 5 words"):
        Tokenizer.from_file(tmp_path / "tokenizer.json", counts=[1, 2])


def test_a_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        Tokenizer.from_file(tmp_path / "tokenizer.json")
