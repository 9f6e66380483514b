"""A finished preparation is used again, and only for the same text and settings."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cmow.corpus import Corpus, PrepareSettings, prepare
from cmow.corpus.sources import Inputs
from cmow.errors import ConfigError

TEXT = b"the dog saw the cat\nthe cat saw the dog\n"
WHITESPACE = PrepareSettings(tokenizer="whitespace")


@pytest.fixture
def text(tmp_path: Path) -> Path:
    file = tmp_path / "text"
    file.write_bytes(TEXT)
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "prepared"


def stages(inputs: Inputs, folder: Path, settings: PrepareSettings = WHITESPACE) -> list[str]:
    """What a preparation has to do."""
    seen: dict[str, None] = {}
    prepare(inputs, folder, settings, progress=lambda progress: seen.update({progress.stage: None}))
    return list(seen)


def test_unchanged_files_are_not_even_read(text: Path, folder: Path) -> None:
    assert stages(text, folder) == ["count", "write"]
    assert stages(text, folder) == []
    assert stages([text], folder) == []


def test_a_file_that_was_only_touched_is_read_once_to_be_sure(text: Path, folder: Path) -> None:
    prepare(text, folder, WHITESPACE)
    os.utime(text)
    assert stages(text, folder) == ["check"]
    assert stages(text, folder) == []


def test_the_same_text_elsewhere_or_packed_is_the_same(text: Path, folder: Path) -> None:
    prepare(text, folder, WHITESPACE)
    text.unlink()
    packed = text.with_suffix(".gz")
    packed.write_bytes(gzip.compress(TEXT))
    assert stages(packed, folder) == ["check"]
    assert stages(TEXT.decode().split("\n")[:-1], folder) == ["check"]


def test_changed_text_is_noticed_in_spite_of_the_same_size_and_time(
    text: Path, folder: Path
) -> None:
    before = prepare(text, folder, WHITESPACE)
    times = text.stat()
    text.write_bytes(TEXT.replace(b"saw", b"bit"))
    os.utime(text, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert stages(text, folder) == ["check", "count", "write"]
    after = Corpus.open(folder)
    assert "bit" in after.vocabulary
    assert after.fingerprint != before.fingerprint


def test_a_further_file_in_the_folder_is_noticed(tmp_path: Path, folder: Path) -> None:
    texts = tmp_path / "texts"
    texts.mkdir()
    (texts / "1").write_bytes(TEXT)
    prepare(texts, folder, WHITESPACE)
    (texts / "2").write_bytes(b"another line\n")
    assert stages(texts, folder) == ["check", "count", "write"]
    assert len(Corpus.open(folder)) == 3


def test_every_setting_counts(text: Path, folder: Path, tmp_path: Path) -> None:
    words = tmp_path / "words"
    words.write_text("dog\ncat\n")
    others = [
        PrepareSettings(tokenizer="words"),
        PrepareSettings(tokenizer="whitespace", lowercase=False),
        PrepareSettings(tokenizer="whitespace", vocabulary_size=3),
        PrepareSettings(tokenizer="whitespace", minimum_count=2),
        PrepareSettings(tokenizer="whitespace", word_list=str(words)),
    ]
    prints = {prepare(text, folder, WHITESPACE).fingerprint}
    for settings in others:
        assert stages(text, folder, settings)[-1] == "write"
        assert stages(text, folder, settings) == []
        prints.add(Corpus.open(folder).fingerprint)
    assert len(prints) == 1 + len(others)
    words.write_text("dog\nsaw\n")  # a changed word list under the old name
    assert stages(text, folder, others[-1]) == ["write"]


def test_a_damaged_preparation_is_made_again(text: Path, folder: Path) -> None:
    prepare(text, folder, WHITESPACE)
    (folder / "ids.int32").write_bytes(b"")
    assert stages(text, folder) == ["count", "write"]


def test_a_corpus_in_use_stays_readable_when_it_is_replaced(text: Path, folder: Path) -> None:
    before = prepare(text, folder, WHITESPACE)
    ids = before.flat.tolist()
    text.write_bytes(b"something else\n" * 1000)
    prepare(text, folder, WHITESPACE)
    assert before.flat.tolist() == ids


def test_folders_that_are_no_preparation_are_never_replaced(text: Path, tmp_path: Path) -> None:
    for folder in (tmp_path, text):
        with pytest.raises(ConfigError, match="exists and is no prepared corpus"):
            prepare(text, folder, WHITESPACE)
    assert text.read_bytes() == TEXT


def test_an_empty_folder_is_filled(text: Path, folder: Path) -> None:
    folder.mkdir()
    assert len(prepare(text, folder, WHITESPACE)) == 2


def test_a_preparation_is_not_its_own_input(text: Path, folder: Path) -> None:
    prepare(text, folder, WHITESPACE)
    with pytest.raises(ConfigError, match="which is to be read; choose another folder"):
        prepare(folder.parent, folder, WHITESPACE)


def test_text_that_changes_while_it_is_read_is_refused(text: Path, folder: Path) -> None:
    def append(_: object) -> None:
        with text.open("ab") as file:
            file.write(b"one more line\n")

    with pytest.raises(ValueError, match="changed while it was read"):
        prepare(text, folder, WHITESPACE, progress=append)
    assert list(folder.parent.iterdir()) == [text]


def test_several_processes_may_prepare_one_folder_at_once(text: Path, folder: Path) -> None:
    program = (
        "import sys\n"
        "from cmow.corpus import PrepareSettings, prepare\n"
        "for number in range(100):\n"
        "    words = 2 + number % 3  # so that each time has to prepare it anew\n"
        "    settings = PrepareSettings(vocabulary_size=words, minimum_count=1)\n"
        "    corpus = prepare(sys.argv[1], sys.argv[2], settings, threads=1)\n"
        "    assert corpus.flat.max() + 1 == len(corpus.vocabulary)\n"
    )
    command = [sys.executable, "-c", program, text, folder]
    processes = [subprocess.Popen(command, stderr=subprocess.PIPE) for _ in range(3)]
    assert [process.communicate()[1] for process in processes] == [b"", b"", b""]
    assert sorted(folder.parent.iterdir()) == [folder, text]


def test_texts_are_known_from_before_there_were_columns(text, tmp_path):
    corpus = prepare(text, tmp_path / "prepared", WHITESPACE)
    assert "column" not in corpus.manifest.settings
    assert corpus.fingerprint == "06a407109c7ebe4bf8ce87f51677bb71"
