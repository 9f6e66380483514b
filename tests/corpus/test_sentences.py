"""Sentences are found across lines and never across paragraphs, and no text is lost."""

import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmow.corpus.readers import Block, read_blocks
from cmow.corpus.sentences import split_sentences
from cmow.errors import MissingExtraError

pytest.importorskip("sentencex")


def sentences(text: str, *, language: str = "en", block_lines: int = 1000) -> list[str]:
    lines = [line + "\n" for line in text.split("\n")[:-1]]
    starts = range(0, len(lines), block_lines)
    blocks = [Block("".join(lines[i : i + block_lines]).encode(), "text", i + 1, 0) for i in starts]
    data = b"".join(block.data for block in split_sentences(blocks, language=language))
    return data.decode().split("\n")[:-1]


def test_abbreviations_and_numbers_do_not_end_a_sentence() -> None:
    text = "Mr. Low paid $2.75 for tea in the U.S. embassy. He was late. Was he? Yes!\n"
    assert sentences(text) == [
        "Mr. Low paid $2.75 for tea in the U.S. embassy.",
        "He was late.",
        "Was he?",
        "Yes!",
    ]


def test_the_language_brings_its_abbreviations() -> None:
    text = "Das Brot usw. liegt hier. Nimm es.\n"
    assert sentences(text, language="de") == ["Das Brot usw. liegt hier.", "Nimm es."]


def test_sentences_go_across_lines_but_not_across_blank_ones() -> None:
    text = "A sentence that\r\nis wrapped. Another\none\n \nA heading\n\nText below it.\n"
    expected = ["A sentence that is wrapped.", "Another one", "A heading", "Text below it."]
    for block_lines in (1, 2, 3, 100):
        assert sentences(text, block_lines=block_lines) == expected


def test_the_end_of_a_file_ends_the_sentence(tmp_path: Path) -> None:
    (tmp_path / "1.txt").write_text("An open end")
    (tmp_path / "2.txt").write_text("A new file. The end")
    data = b"".join(block.data for block in split_sentences(read_blocks(tmp_path)))
    assert data.decode().split("\n")[:-1] == ["An open end", "A new file.", "The end"]


def test_a_long_line_is_split_at_the_same_places() -> None:
    expected = [f"This is sentence number {i}, of no great length." for i in range(2000)]
    assert sentences(" ".join(expected) + "\n") == expected


def test_text_without_any_mark_is_cut_between_words() -> None:
    words = [f"word{i}" for i in range(5000)]
    found = sentences(" ".join(words) + "\n")
    assert " ".join(found).split() == words
    assert max(map(len, found)) <= 4096


@given(st.text(st.sampled_from("ab .!?\"'\n\r\tÄ。1)…"), max_size=400), st.integers(1, 5))
def test_every_character_but_white_space_survives(text: str, block_lines: int) -> None:
    text += "\n"
    found = "".join(sentences(text, block_lines=block_lines))
    assert "".join(found.split()) == "".join(text.split())


def test_without_its_package_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencex", None)
    with pytest.raises(MissingExtraError, match=r"cmow\[split\]"):
        list(split_sentences([]))
