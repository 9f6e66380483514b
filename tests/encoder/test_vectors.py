import gzip
import logging
import struct

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cmow.encoder import Encoder
from cmow.encoder.vectors import read_vectors, write_vectors
from cmow.errors import ConfigError, FormatError

words = st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1, max_size=5)


@pytest.fixture
def write(tmp_path):
    def write(content):
        path = tmp_path / "vectors"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


FILES = {
    "word2vec": "2 3\ndog 1 2 3\n</s> -1 0.5 1e-3\n",
    "fastText": "2 3\ndog 1 2 3 \n</s> -1 0.5 1e-3 \n",
    "GloVe": "dog 1 2 3\n</s> -1 0.5 1e-3\n",
    "tabs and carriage returns": "2\t3\r\ndog\t1\t2\t3\r\n</s>\t-1\t0.5\t1e-3\r\n",
    "blank lines": "dog 1 2 3\n\n</s> -1 0.5 1e-3\n\n",
    "no last line end": "2 3\ndog 1 2 3\n</s> -1 0.5 1e-3",
    "word2vec binary": b"2 3\ndog "
    + struct.pack("<3f", 1, 2, 3)
    + b"</s> "
    + struct.pack("<3f", -1, 0.5, 1e-3),
    "binary with line ends": b"2 3\ndog "
    + struct.pack("<3f", 1, 2, 3)
    + b"\n</s> "
    + struct.pack("<3f", -1, 0.5, 1e-3)
    + b"\n",
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_formats(write, content):
    read = read_vectors(write(content))
    assert read.words == ["dog", "</s>"]
    assert read.table.dtype == np.float32
    np.testing.assert_array_equal(read.table, np.array([[1, 2, 3], [-1, 0.5, 1e-3]], np.float32))


def test_packed_files(write):
    for content in (FILES["GloVe"].encode(), FILES["word2vec binary"]):
        assert read_vectors(write(gzip.compress(content))).words == ["dog", "</s>"]


def test_words_may_contain_blanks(write):
    read = read_vectors(write("the 1 2\n. . . 3 4\nat name@domain.com 5 6\n\u00a0 7 8\n"))
    assert read.words == ["the", ". . .", "at name@domain.com", "\u00a0"]
    np.testing.assert_array_equal(read.table[:, 0], [1, 3, 5, 7])


def test_a_word_may_be_a_number(write):
    assert read_vectors(write("5 2\n1 1 2\n2 1 2\n3 1 2\n4 1 2\n5 1 2\n")).words == list("12345")


def test_numbers_that_look_like_blanks_are_binary(write):
    vector = struct.pack("<2f", *np.frombuffer(b"    \n\n\n\n", "<f4"))
    read = read_vectors(write(b"3 2\n" + b"".join(b"w%d " % n + vector for n in range(3))))
    assert read.words == ["w0", "w1", "w2"]


def test_limit_and_more_vectors_than_announced(write):
    assert read_vectors(write(FILES["GloVe"]), limit=1).words == ["dog"]
    assert read_vectors(write(FILES["word2vec binary"]), limit=1).words == ["dog"]
    assert read_vectors(write(FILES["word2vec"]), limit=5).words == ["dog", "</s>"]
    assert read_vectors(write("1 1\na 1\nb 2\n")).words == ["a"]
    with pytest.raises(ConfigError, match="0"):
        read_vectors(write(FILES["GloVe"]), limit=0)


def test_repeated_words_keep_the_first_vector(write, caplog):
    with caplog.at_level(logging.WARNING):
        read = read_vectors(write("Dog 1 1\ndog 2 2\nDOG 3 3\n"), lowercase=True)
    assert read.words == ["dog"]
    assert read.table.tolist() == [[1, 1]]
    assert "2 vectors of repeated words" in caplog.text


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "line 1"),
        ("dog\n", "line 1"),
        ("just some text\n", "line 1"),
        ("2 0\ndog\n", "line 1"),
        ("dog 1 2\ncat 1\n", "line 2: 1 number"),
        ("1 3\ndog 1 2\n", "line 2: 2 numbers"),
        ("dog 1 2\ncat 1 x\n", "line 2.*x"),
        ("dog 1 2\ncat 1 nan\n", "line 2: NaN"),
        ("dog 1 2\ncat 1 1e99\n", "line 2: NaN or inf"),
        ("3 2\ndog 1 2\n", "ends after 1 of 3"),
        (b"2 3\ndog " + struct.pack("<3f", 1, 2, 3) + b"cat \0\0", "ends after 1 of 2"),
        (b"1 2\ndog " + struct.pack("<2f", 1, np.inf), "vector 1"),
        (b"1 2\n " + struct.pack("<2f", 1, 2), "vector 1: no word"),
        ("0 3\n", "no vectors"),
        (f"{10**20} 3\ndog 1 2 3\n", "line 1: 1000.* vectors of 3 numbers"),
        (f"1 {10**20}\ndog 1 2 3\n", "line 1: 1 vectors of 1000.* numbers"),
        (gzip.compress(b"dog 1 2\n" * 99)[:-9], "vectors"),
        (gzip.compress(b"dog 1 2\n" * 99)[:20] + b"xxxx", "vectors"),
    ],
)
def test_what_is_wrong_is_told_with_file_and_place(write, content, fault):
    path = write(content)
    with pytest.raises(
        FormatError, match=f"{path}: .*{fault}" if fault != "vectors" else str(path)
    ):
        read_vectors(path)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    names=st.lists(words, min_size=1, max_size=5, unique=True),
    binary=st.booleans(),
    data=st.data(),
)
def test_round_trip(tmp_path, names, binary, data):
    elements = st.floats(width=32, allow_nan=False, allow_infinity=False)
    table = data.draw(arrays(np.float32, (len(names), 3), elements=elements))
    write_vectors(tmp_path / "file", names, table, binary=binary)
    read = read_vectors(tmp_path / "file")
    assert read.words == names
    np.testing.assert_array_equal(read.table, table)


def test_an_encoder_adds_the_vectors(write):
    encoder = Encoder.from_vectors(write("Dog 1 2\ncat 3 5\nNew York 7 7\n"), lowercase=True)
    np.testing.assert_array_equal(encoder.encode(["The dog cat", "new york"]), [[4, 7], [0, 0]])
    assert [part.name for part in encoder.parts] == ["cbow"]
    raw = Encoder.from_vectors(write("Dog 1 2\n. 3 5\n"), tokenizer="words")
    np.testing.assert_array_equal(raw.encode(["Dog.", "dog"]), [[4, 7], [0, 0]])
    with pytest.raises(ConfigError, match="spaces"):
        Encoder.from_vectors(write("Dog 1 2\n"), tokenizer="spaces")


def test_an_encoders_sum_part_is_written_and_read_again(hybrid, tmp_path):
    for binary in (False, True):
        hybrid.write_vectors(tmp_path / "file", binary=binary)
        again = Encoder.from_vectors(tmp_path / "file")
        np.testing.assert_array_equal(
            again.encode(["the dog"]), hybrid.part("cbow").encode(["the dog"])
        )
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    with pytest.raises(ConfigError, match="product"):
        hybrid.write_vectors(tmp_path / "file", part="cmow")


def test_words_that_a_format_cannot_hold_are_refused(tmp_path):
    table = np.zeros((1, 2), np.float32)
    write_vectors(tmp_path / "file", ["New York"], table)
    with pytest.raises(ConfigError, match="'New York'"):
        write_vectors(tmp_path / "other", ["New York"], table, binary=True)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
