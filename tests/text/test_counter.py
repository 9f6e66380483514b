from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unicode_texts import texts

from cmow.text import Tokenizer, Vocabulary, WordCounter


@pytest.mark.parametrize("kind", ["whitespace", "words"])
@settings(max_examples=50, deadline=None)
@given(batch=st.lists(texts, max_size=8))
def test_counts_what_the_tokenizer_splits(kind, batch):
    tokenizer = getattr(Tokenizer, kind)(Vocabulary(()), lowercase=True)
    counter = WordCounter(kind, lowercase=True)
    counter.add_lines("\n".join(batch).encode())
    expected = Counter(word for row in tokenizer.split(batch) for word in row)
    words, counts = counter.most_common()
    ranked = sorted(expected.items(), key=lambda item: (-item[1], item[0]))
    assert list(zip(words, counts.tolist(), strict=True)) == ranked
    assert counter.total == sum(expected.values())


def test_the_most_common_words_make_the_vocabulary():
    counter = WordCounter("whitespace", lowercase=False)
    counter.add_lines(b"b a b c\r\nd d a\n")
    assert counter.most_common(2) == (["a", "b"], pytest.approx([2, 2]))
    assert counter.most_common(minimum_count=2)[0] == ["a", "b", "d"]
    assert counter.most_common(0)[0] == []
    words, counts = counter.most_common()
    expected = Vocabulary.from_counts({"a": 2, "b": 2, "c": 1, "d": 2})
    assert Vocabulary(words, counts).words == expected.words


def test_counters_of_several_threads_are_merged():
    blocks = [f"word{number % 700} the\n".encode() * 3 for number in range(2000)]
    counters = [WordCounter("words", lowercase=True) for _ in range(4)]

    def count(place):
        for block in blocks[place::4]:
            counters[place].add_lines(memoryview(block))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(count, range(4)))
    for other in counters[1:]:
        counters[0].merge(other)
    words, counts = counters[0].most_common()
    assert (words[0], counts[0], len(words), counters[0].total) == ("the", 6000, 701, 12000)


def test_misuse_is_named():
    counter = WordCounter("words", lowercase=True)
    with pytest.raises(ValueError, match="cannot be merged with itself"):
        counter.merge(counter)
    with pytest.raises(ValueError, match="kind is 'bytes'"):
        WordCounter("bytes", lowercase=True)
    with pytest.raises(TypeError):
        counter.add_lines("text")
