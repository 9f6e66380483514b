import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from cmow.cli import main
from cmow.errors import ConfigError, FormatError
from cmow.paper.grammar import Grammar
from cmow.paper.probing import ProbingSettings, build_from_corpus
from cmow.paper.probing.analysis import Analysis
from cmow.paper.probing.pipeline import PIPELINE
from cmow.paper.probing.pool import eligible
from cmow.paper.probing.supply import Supply

pytest.importorskip("spacy")
pytest.importorskip(PIPELINE)

SETTINGS = ProbingSettings(train=60, valid=20, test=20, content_words=5, top_sequences=4, depths=3)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A thousand cased sentences: a language that the pipeline has never seen, but can parse."""
    path = tmp_path_factory.mktemp("corpus") / "corpus.txt"
    lines = [sentence.text.capitalize() for sentence in Grammar(seed=3).sentences(1000)]
    path.write_text("\n".join([*lines, lines[0], "", "too short"]) + "\n", encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def folder(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built") / "probing"
    build_from_corpus(corpus, folder, SETTINGS)
    return folder


def rows(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]


def test_all_tasks_are_built_and_balanced(folder):
    files = sorted(folder.glob("*.txt"))
    assert len(files) == 10
    for file in files:
        for split in ("tr", "va", "te"):
            counts = Counter(label for found, label, _ in rows(file) if found == split)
            assert len(counts) >= 2, file
            assert max(counts.values()) - min(counts.values()) <= 1, file


def test_sentences_are_the_corpus_s_own(folder, corpus):
    sentences = set(corpus.read_text(encoding="utf-8").splitlines())
    for name in ("tree_depth.txt", "subj_number.txt", "past_present.txt", "word_content.txt"):
        assert {text for _, _, text in rows(folder / name)} <= sentences


def test_inverted_clauses_change_their_capitals(folder):
    for _, _, text in rows(folder / "coordination_inversion.txt"):
        words = text.split(" ")
        assert words[0][0].isupper()
        assert all(word[0].islower() for word in words[1:] if word.isalpha())


def test_the_note_names_corpus_and_parser(folder):
    note = json.loads((folder / "rebuilt.json").read_text(encoding="utf-8"))
    assert note["source"] == "corpus.txt"
    assert note["trees"].startswith(f"dependencies by {PIPELINE}")
    texts = [sentence.text for sentence in Grammar(seed=3).sentences(1000)]
    assert note["sentences"]["used"] == len(list(eligible(texts)))


def test_the_same_corpus_gives_the_same_files(folder, corpus, tmp_path):
    build_from_corpus(corpus, tmp_path / "again", SETTINGS)
    for file in folder.iterdir():
        assert file.read_bytes() == (tmp_path / "again" / file.name).read_bytes()


def test_limits_are_kept(corpus, tmp_path):
    build_from_corpus(corpus, tmp_path / "few", replace(SETTINGS, train=6), sentences=150)
    note = json.loads((tmp_path / "few" / "rebuilt.json").read_text(encoding="utf-8"))
    assert note["sentences"]["used"] == 150


def test_a_corpus_without_sentences_is_named(tmp_path):
    (tmp_path / "short.txt").write_text("too short\n")
    with pytest.raises(FormatError, match=r"short\.txt: no line has 5 to 28 words"):
        build_from_corpus(tmp_path / "short.txt", tmp_path / "out", SETTINGS)
    assert not (tmp_path / "out").exists()


def test_a_corpus_that_is_too_small_leaves_nothing_behind(tmp_path):
    (tmp_path / "one.txt").write_text("The dog chased the cat .\n")
    with pytest.raises(FormatError, match="too few for any task"):
        build_from_corpus(tmp_path / "one.txt", tmp_path / "out", SETTINGS)
    assert [path.name for path in tmp_path.iterdir()] == ["one.txt"]


def test_no_processes_are_refused(corpus, tmp_path):
    with pytest.raises(ConfigError, match="0 processes"):
        build_from_corpus(corpus, tmp_path / "out", SETTINGS, processes=0)


def test_the_command(corpus, tmp_path, monkeypatch, capsys):
    out = str(tmp_path / "probing")
    sizes = ["--train", "40", "--valid", "10", "--test", "10", "--processes", "1"]
    monkeypatch.setattr("sys.argv", ["cmow", "probing", "build", str(corpus), out, *sizes])
    with pytest.raises(SystemExit) as end:
        main()
    assert not end.value.code
    printed = capsys.readouterr().out
    assert "BShift   40/10/10 sentences, 2 classes\n" in printed
    assert "WC       not built: the corpus has too few such sentences\n" in printed
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_supply_is_ample_when_every_task_is():
    settings = ProbingSettings(train=4, valid=1, test=1, top_sequences=2, depths=2)
    supply = Supply(settings)
    shapes = [(depth, top) for depth in (3, 4) for top in ("NP_VP_.", "VP_.")]
    for depth, top in shapes * 3:
        for tags in ("NN VBD NN .", "NNS VBZ NNS ."):
            assert not supply.is_ample()
            supply.add([Analysis("a b c .", tags, depth, top, 0, 1, 2, (1, 2))])
    assert supply.is_ample()
