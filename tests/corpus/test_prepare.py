"""The ids on disk are those of a plain reading of the text, whatever the input and the threads."""

import gzip
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer as LibraryTokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from cmow.corpus import Corpus, PrepareSettings, is_prepared, prepare
from cmow.corpus.manifest import Statistics
from cmow.corpus.readers import BLOCK_BYTES
from cmow.corpus.sources import Inputs
from cmow.errors import FormatError
from cmow.progress import Progress

WHITESPACE = PrepareSettings(tokenizer="whitespace")


def sentences_of(corpus: Corpus) -> list[list[str]]:
    return [[corpus.vocabulary.words[id] for id in sentence] for sentence in corpus]


def expected_sentences(lines: list[str], size: int, minimum_count: int) -> list[list[str]]:
    counts = Counter(word for line in lines for word in line.lower().split())
    words = sorted(counts, key=lambda word: (-counts[word], word))
    known = {word for word in words[:size] if counts[word] >= minimum_count}
    sentences = ([word for word in line.lower().split() if word in known] for line in lines)
    return [sentence for sentence in sentences if len(sentence) >= 2]


def generated_lines(count: int, seed: int = 0) -> list[str]:
    draw = random.Random(seed)
    words = [f"Word{number}" for number in range(500)]
    weights = [1 / rank for rank in range(1, 501)]
    return [" ".join(draw.choices(words, weights, k=draw.randrange(0, 15))) for _ in range(count)]


@settings(max_examples=30)
@given(
    st.lists(
        st.lists(st.sampled_from(["a", "B", "b", "c", "dog", "ü", "."]), max_size=6).map(" ".join),
        min_size=1,
        max_size=20,
    ),
    st.integers(2, 6),
    st.integers(1, 3),
)
def test_ids_are_those_of_a_plain_reading(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str], size: int, minimum_count: int
) -> None:
    lines = [*lines, "a a a b b b"]
    choice = PrepareSettings(
        tokenizer="whitespace", vocabulary_size=size, minimum_count=minimum_count
    )
    corpus = prepare(lines, tmp_path_factory.mktemp("corpus") / "prepared", choice)
    assert sentences_of(corpus) == expected_sentences(lines, size, minimum_count)
    counts = Counter(word for line in lines for word in line.lower().split())
    assert [counts[word] for word in corpus.vocabulary.words] == corpus.vocabulary.counts.tolist()


@pytest.mark.parametrize("threads", [2, 3])
def test_the_same_bytes_for_any_number_of_threads(tmp_path: Path, threads: int) -> None:
    text = tmp_path / "text"
    text.write_text("".join(f"{line}\n" for line in generated_lines(20_000)))
    assert text.stat().st_size > 3 * BLOCK_BYTES
    prepare(text, tmp_path / "one", WHITESPACE, threads=1)
    prepare(text, tmp_path / "many", WHITESPACE, threads=threads)
    names = sorted(file.name for file in (tmp_path / "one").iterdir())
    assert names == sorted(file.name for file in (tmp_path / "many").iterdir())
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "many" / name).read_bytes()


def test_every_kind_of_input_gives_the_same_corpus(tmp_path: Path) -> None:
    lines = generated_lines(200)
    data = "".join(f"{line}\n" for line in lines).encode()
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "1.txt").write_bytes(data[: data.index(b"\n", 2000) + 1])
    (tmp_path / "folder" / "2.gz").write_bytes(gzip.compress(data[data.index(b"\n", 2000) + 1 :]))
    (tmp_path / "text").write_bytes(data)
    inputs: list[Inputs] = [
        tmp_path / "text",
        str(tmp_path / "folder"),
        f"{tmp_path}/folder/*",
        [tmp_path / "folder" / "1.txt", tmp_path / "folder" / "2.gz"],
        lines,
        iter(lines),
    ]
    expected = expected_sentences(lines, 30_000, 1)
    corpora = [prepare(each, tmp_path / f"{i}", WHITESPACE) for i, each in enumerate(inputs)]
    assert all(sentences_of(corpus) == expected for corpus in corpora)
    assert len({corpus.fingerprint for corpus in corpora}) == 1


def test_any_sentence_is_at_hand(tmp_path: Path) -> None:
    lines = generated_lines(300)
    corpus = prepare(lines, tmp_path / "prepared", WHITESPACE)
    expected = expected_sentences(lines, 30_000, 1)
    assert len(corpus) == len(expected)
    assert corpus.tokens == sum(map(len, expected)) == len(corpus.flat)
    assert corpus.flat.dtype == np.int32
    assert corpus.offsets.dtype == np.int64
    for sentence in (0, 17, len(corpus) - 1, -1):
        words = [corpus.vocabulary.words[id] for id in corpus[sentence]]
        assert words == expected[sentence]
    with pytest.raises(IndexError):
        corpus[len(corpus)]
    with pytest.raises(ValueError, match="read-only"):
        corpus.flat[0] = 1


def test_what_was_left_out_is_told(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_bytes(b"a b a b\na\n\nrare a\nbad \xff line\nb a\n")
    settings = PrepareSettings(tokenizer="whitespace", minimum_count=2, invalid="replace")
    corpus = prepare(text, tmp_path / "prepared", settings)
    assert corpus.manifest.statistics == Statistics(
        lines=6, sentences=2, tokens=6, unknown=4, invalid=1
    )
    assert corpus.summary() == (
        "2 sentences, 6 tokens, vocabulary of 2, 33.3% of all tokens unknown, "
        "4 lines with fewer than two known words left out, 1 lines not UTF-8"
    )


def test_running_text_is_split(tmp_path: Path) -> None:
    pytest.importorskip("sentencex")
    text = tmp_path / "text"
    text.write_text("One dog barks. Two dogs\nbark.\n\nNo dog")
    corpus = prepare(text, tmp_path / "prepared", PrepareSettings(split=True))
    expected = ["one dog barks .", "two dogs bark .", "no dog"]
    assert [" ".join(words) for words in sentences_of(corpus)] == expected
    texts = prepare(["He ran. She sat.", "No end"], tmp_path / "texts", PrepareSettings(split=True))
    assert [" ".join(words) for words in sentences_of(texts)] == [
        "he ran .",
        "she sat .",
        "no end",
    ]


def test_a_word_list_of_ones_own(tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("dog\ncat\nunseen\n")
    settings = PrepareSettings(tokenizer="whitespace", word_list=str(words))
    corpus = prepare(["Dog and cat", "dog", "cat cat"], tmp_path / "prepared", settings)
    assert corpus.vocabulary.words == ("dog", "cat", "unseen")
    assert corpus.vocabulary.counts.tolist() == [2, 3, 0]
    assert [ids.tolist() for ids in corpus] == [[0, 1], [1, 1]]


def test_a_tokenizer_file(tmp_path: Path) -> None:
    library = LibraryTokenizer(WordLevel({"[UNK]": 0, "dog": 1, "cat": 2, "!": 3}, "[UNK]"))
    library.pre_tokenizer = Whitespace()
    library.save(str(tmp_path / "tokenizer.json"))
    settings = PrepareSettings(tokenizer=str(tmp_path / "tokenizer.json"))
    corpus = prepare(["cat! dog", "a dog", "dog dog"], tmp_path / "prepared", settings)
    assert corpus.tokenizer.kind == "custom"
    assert [ids.tolist() for ids in corpus] == [[2, 3, 1], [1, 1]]
    assert corpus.vocabulary.counts.tolist() == [0, 4, 1, 1]


def test_progress_goes_through_the_whole_input_twice(tmp_path: Path) -> None:
    text = tmp_path / "text.gz"
    text.write_bytes(gzip.compress("\n".join(generated_lines(20_000)).encode()))
    seen: list[Progress] = []
    prepare(text, tmp_path / "prepared", WHITESPACE, progress=seen.append)
    size = text.stat().st_size
    for stage in ("count", "write"):
        done = [progress.done for progress in seen if progress.stage == stage]
        assert done == sorted(done)
        assert len(done) > 3
        assert done[0] == 0
        assert done[-1] == size
    assert {progress.total for progress in seen} == {size}


def test_a_folder_that_is_no_preparation(tmp_path: Path) -> None:
    assert not is_prepared(tmp_path)
    with pytest.raises(FormatError, match="not a prepared corpus; make one with cmow prepare"):
        Corpus.open(tmp_path)
    with pytest.raises(FileNotFoundError):
        Corpus.open(tmp_path / "nowhere")


@pytest.mark.parametrize("name", ["ids.int32", "offsets.int64"])
def test_a_damaged_preparation_is_named(tmp_path: Path, name: str) -> None:
    prepare(["a b", "c d"], tmp_path / "prepared", WHITESPACE)
    file = tmp_path / "prepared" / name
    file.write_bytes(file.read_bytes()[:-4])
    with pytest.raises(FormatError, match=f"{name}: .* instead of .*; prepare the corpus again"):
        Corpus.open(tmp_path / "prepared")


@pytest.mark.parametrize("page", ["{}", "[]", "{", '{"version": 99}'])
def test_a_foreign_page_is_named(tmp_path: Path, page: str) -> None:
    prepare(["a b", "c d"], tmp_path / "prepared", WHITESPACE)
    (tmp_path / "prepared" / "corpus.json").write_text(page)
    with pytest.raises(FormatError, match=r"prepare .* again"):
        Corpus.open(tmp_path / "prepared")
