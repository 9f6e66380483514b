import io
import json
import os
import random
import sys
from pathlib import Path

import pytest
from processes import run_on_terminal

WORDS = ["the", "cat", "dog", "chased", "saw"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Two polarity tasks of words that the model knows, and word pairs."""
    draw = random.Random(0)
    folder = tmp_path / "data"
    for label, name in enumerate(("custrev.neg", "custrev.pos")):
        file = folder / "downstream" / "CR" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{' '.join(draw.choices(WORDS[:3], k=4))} {WORDS[3 + label]}" for _ in range(40)]
        file.write_text("".join(f"{line}\n" for line in lines))
    (folder / "wordsim").mkdir()
    (folder / "wordsim" / "EN-RG-65.txt").write_text("cat\tdog\t3\ncat\tsaw\t1\ndog\tthe\t2\n")
    return folder


def test_tables_go_to_stdout(cmow, model, data):
    code, shown, told = cmow("evaluate", model, "--data", data, "--tasks", "CR,MR,movement,words")
    assert code == 0
    assert told == ""
    assert "## supervised: accuracy" in shown
    assert "| model | CR | mean |" in shown
    assert "- MR: no data: expected downstream/MR/rt-polarity.neg" in shown
    assert "| model | cbow | " in shown
    assert "Arguments" in shown


def test_parts_side_by_side_with_the_papers_figures(cmow, model, data):
    parts = ["--part", "cbow", "--part", "cmow", "--part", "whole", "--with-paper"]
    code, shown, _ = cmow("evaluate", model, "--data", data, "--tasks", "CR,movement", *parts)
    assert code == 0
    assert "| model/cbow | 0.0 | 0.0 | 0.0 | 0.0 |" in shown
    assert "| vs. model/cmow |" in shown
    assert "relative change to model" in shown
    assert "| paper: Hybrid (3 billion tokens) | 78.7 |" in shown


@pytest.mark.parametrize("normalize", ["all", "parts"])
def test_normalized(cmow, model, data, normalize):
    options = ["--tasks", "movement,RG-65", "--normalize", normalize]
    code, shown, _ = cmow("evaluate", model, "--data", data, *options)
    assert code == 0
    assert "coverage" in shown


def test_files(cmow, model, data, tmp_path):
    files = [tmp_path / f"report.{ending}" for ending in ("json", "md", "csv", "png")]
    outputs = [word for file in files for word in ("-o", file)]
    code, _, told = cmow("evaluate", model, "--data", data, "--tasks", "CR", *outputs, "--seed", 5)
    assert code == 0
    assert told.splitlines() == [f"{file}: written" for file in files]
    assert json.loads(files[0].read_text())["seed"] == 5
    assert all(file.stat().st_size for file in files)


def test_sentences_of_ones_own(cmow, model, data, tmp_path):
    (tmp_path / "mine.txt").write_text("the cat chased the dog\tthe dog chased the cat\n" * 3)
    options = ["--sentences", tmp_path / "mine.txt", "-o", tmp_path / "report.json"]
    code, _, _ = cmow("evaluate", model, "--data", data, "--tasks", "movement", *options)
    assert code == 0
    tasks = json.loads((tmp_path / "report.json").read_text())["models"]["model"]
    assert tasks["Arguments"]["details"]["sentences"] == 3


def test_a_terminal_shows_drawn_tables(model, data):
    code, shown = run_on_terminal("evaluate", model, "--data", data, "--tasks", "CR")
    assert code == 0
    assert "supervised: accuracy" in shown
    assert "──" in shown
    assert "model: CR" in shown


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--tasks fish", "unknown task 'fish': use one of"),
        ("--tasks STS-C", "unknown task 'STS-C': did you mean STS-B?"),
        ("--tasks MR", "nothing to run in {data}: MR, for one, expects downstream/MR"),
        ("--tasks CR --part fish", "no part 'fish'"),
        ("--tasks CR --compare fish", "'fish' is none of the models model"),
        ("--tasks CR -o {data}/x.txt", "x.txt: the ending must be one of"),
        ("--tasks CR --part cbow --part cbow", "two models are called 'model/cbow'"),
        ("--tasks CR --sentences {data}/none", "none is not a file"),
        ("--tasks CR --data {data}/none", "none is not a folder"),
    ],
)
def test_misuse(cmow, model, data, options, message):
    words = [word.format(data=data) for word in options.split()]
    code, shown, told = cmow("evaluate", model, "--data", data, *words)
    assert (code, shown) == (2, "")
    assert message.format(data=data) in told
    assert told.count("\n") == 1


def test_a_malformed_line_is_told_in_one_line(cmow, model, data):
    file = data / "wordsim" / "EN-RG-65.txt"
    with file.open("a") as opened:
        opened.write("cat\tdog\n")
    code, _, told = cmow("evaluate", model, "--data", data)
    assert code == 2
    assert told == f"cmow: {file}:4: expected 3 columns, found 2{os.linesep}"


def test_a_folder_without_data_is_refused_though_some_tasks_need_none(cmow, model, tmp_path):
    code, _, told = cmow("evaluate", model, "--data", tmp_path, "--tasks", "CR,movement")
    assert code == 2
    assert "nothing to run in" in told
    code, shown, _ = cmow("evaluate", model, "--tasks", "Swap")
    assert code == 0
    assert "## movement" in shown
    code, _, told = cmow("evaluate", model, "--tasks", "CR")
    assert (code, "without --data: CR" in told) == (2, True)


def test_a_wrong_folder_is_refused_before_anything_is_scored(cmow, model, tmp_path, monkeypatch):
    monkeypatch.setattr("cmow.evaluation.run._run", lambda *_: 1 / 0)
    code, shown, told = cmow("evaluate", model, "--data", tmp_path)
    assert (code, shown) == (2, "")
    assert told.startswith(f"cmow: nothing to run in {tmp_path}: Depth, for one, expects probing/")


MINE = """
import numpy as np

class Letters:
    def encode(self, texts):
        return np.array([[text.count(letter) for letter in "acdehotw"] for text in texts], float)

letters = Letters()
number = 7

def words(texts):
    return letters.encode(texts)[:, :3]
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    """The name of a module in the folder that one is in."""
    name = f"mine_{tmp_path.name}"
    (tmp_path / f"{name}.py").write_text(MINE)
    monkeypatch.chdir(tmp_path)
    return name


def test_objects_of_ones_own_stand_beside_models(cmow, model, data, mine):
    encoders = [f"py:{mine}:{name}" for name in ("letters", "words", "letters.encode", "Letters")]
    told = cmow("evaluate", model, *encoders, "--data", data, "--tasks", "CR", "--part", "cbow")
    assert told[::2] == (0, "")
    for row in ("model/cbow", "letters", "words", "letters.encode", "Letters"):
        assert f"| {row} | " in told[1]
    unit = cmow("evaluate", encoders[0], "--data", data, "--tasks", "CR", "--normalize", "all")
    assert unit[0] == 0


@pytest.mark.parametrize(
    ("encoder", "message"),
    [
        ("py:{mine}:leters", "has no leters: did you mean Letters or letters?"),
        ("py:{mine}:letters.decode", "has no letters.decode: did you mean encode?"),
        ("py:{mine}:number", "has no encode(texts), and is no function"),
        ("py:{mine}", "{mine} has no encode"),
        ("py:there_is_none:encoder", "there is no module there_is_none here"),
        ("py:", "py: names no model: write py:MODULE:OBJECT"),
        ("st:", "st: names no model: write st:PATH"),
    ],
)
def test_misuse_of_ones_own(cmow, mine, encoder, message):
    code, shown, told = cmow("evaluate", encoder.format(mine=mine), "--tasks", "Swap")
    assert (code, shown, told.count("\n")) == (2, "", 1)
    assert message.format(mine=mine) in told


@pytest.mark.parametrize(
    ("encoder", "library", "cure"),
    [
        ("st:x", "sentence_transformers", "pip install 'cmow[sentence-transformers]'"),
        ("m2v:x", "model2vec", "pip install model2vec"),
    ],
)
def test_a_library_that_is_missing(cmow, monkeypatch, encoder, library, cure):
    monkeypatch.setitem(sys.modules, library, None)
    code, _, told = cmow("evaluate", encoder, "--tasks", "Swap")
    assert (code, told.count("\n")) == (2, 1)
    assert cure in told


def test_parts_of_others_cannot_be_normalized(cmow, mine):
    options = ["--tasks", "Swap", "--normalize", "parts"]
    code, _, told = cmow("evaluate", f"py:{mine}:letters", *options)
    assert (code, told) == (2, "cmow: a Letters has no parts to normalize: choose all\n")


def test_a_title_wider_than_its_table_stays_whole():
    from rich.console import Console

    from cmow.cli.evaluation_output import show_table
    from cmow.evaluation import Table

    console = Console(width=80, file=io.StringIO())
    show_table(console, Table("relative change to the last", [["model", "WC"], ["a", "1.0"]]))
    assert "relative change to the last\n" in console.file.getvalue()
