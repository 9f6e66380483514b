import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmow.errors import ConfigError, FormatError
from cmow.text import Tokenizer, Vocabulary
from cmow.text.vocabulary import WHITE_SPACE


def test_looks_words_up():
    vocabulary = Vocabulary(["dog", "cat"], [3, 2])
    assert len(vocabulary) == 2
    assert "dog" in vocabulary
    assert "cow" not in vocabulary
    assert vocabulary.index("cat") == vocabulary.get("cat") == 1
    assert vocabulary.get("cow") is None
    with pytest.raises(KeyError):
        vocabulary.index("cow")


def test_counts_whose_sum_no_number_holds_are_refused():
    with pytest.raises(ConfigError, match="add up to"):
        Vocabulary(["a", "b"], [2**62, 2**62])


def test_is_immutable_and_does_without_counts():
    counts = Vocabulary(["dog"]).counts
    assert counts.tolist() == [0]
    with pytest.raises(ValueError, match="read-only"):
        counts[0] = 1


@given(st.dictionaries(st.text("abé\U0001f600\uffff", min_size=1), st.integers(1, 5)))
def test_takes_the_most_frequent_words_in_a_fixed_order(counts):
    shuffled = dict(sorted(counts.items(), reverse=True))
    vocabulary = Vocabulary.from_counts(counts, size=4, minimum_count=2)
    assert vocabulary.words == Vocabulary.from_counts(shuffled, size=4, minimum_count=2).words
    ranked = sorted((-count, word) for word, count in counts.items() if count > 1)[:4]
    assert list(zip((-vocabulary.counts).tolist(), vocabulary.words, strict=True)) == ranked


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["a", ""], r"words\[1\]: an empty word"),
        (["a", "b", "a"], r"words\[2\]: 'a' was there before"),
        (["a b"], r"words\[0\]: 'a b' holds white space"),
        (["a\u3000"], "white space"),
        (["\ud800"], "lone surrogate"),
        (["a", 3], r"words\[1\]: 3 is int, not str"),
        ("abc", "words is one str"),
    ],
)
def test_bad_words_are_named(words, message):
    with pytest.raises(ConfigError, match=message):
        Vocabulary(words)


@pytest.mark.parametrize(
    ("counts", "message"), [([1], "1 counts for 2 words"), ([1, -2], "count of 'b' is -2")]
)
def test_bad_counts_are_named(counts, message):
    with pytest.raises(ConfigError, match=message):
        Vocabulary(["a", "b"], counts)


def test_size_must_be_positive():
    with pytest.raises(ConfigError, match="size is 0"):
        Vocabulary.from_counts({"a": 1}, size=0)


@pytest.mark.parametrize(
    "data",
    [
        b"dog\t3\ncat\t2\n",
        b"dog\t3\ncat\t2",
        b"dog\t3\r\ncat\t2\r\n",
        b"\xef\xbb\xbfdog\t3\ncat\t2\n",
    ],
)
def test_reads_own_word_lists(data, tmp_path):
    (tmp_path / "words.txt").write_bytes(data)
    vocabulary = Vocabulary.from_file(tmp_path / "words.txt")
    assert vocabulary.words == ("dog", "cat")
    assert vocabulary.counts.tolist() == [3, 2]


def test_counts_in_a_word_list_are_optional(tmp_path):
    (tmp_path / "words.txt").write_text("dog\ncat\n")
    assert Vocabulary.from_file(tmp_path / "words.txt").counts.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "words.txt: no words"),
        (b"a\n\nb\n", "words.txt:2: an empty word"),
        (b"a\nb\na\n", "words.txt:3: 'a' was there before"),
        (b"a\nb c\n", "words.txt:2: 'b c' holds white space"),
        (b"a\nb\t-1\n", "words.txt:2: '-1' is no count"),
        (b"a\nb\t\n", "words.txt:2: '' is no count"),
        (b"a\nb\t9999999999999999999\n", "words.txt:2: .* is no count"),
        (b"a\nb\n\xff\n", "words.txt:3: not UTF-8"),
    ],
)
def test_faults_in_a_word_list_are_named_with_their_line(data, message, tmp_path):
    (tmp_path / "words.txt").write_bytes(data)
    with pytest.raises(FormatError, match=message):
        Vocabulary.from_file(tmp_path / "words.txt")


def test_white_space_is_what_the_tokenizers_split_at():
    tokenizer = Tokenizer.whitespace(Vocabulary(()))
    codes = [*range(0xD800), *range(0xE000, 0x20000)]
    rows = tokenizer.split([f"a{chr(code)}b" for code in codes])
    assert [len(row) == 2 for row in rows] == [bool(WHITE_SPACE.search(chr(c))) for c in codes]
