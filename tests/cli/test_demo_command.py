import contextlib
import io
import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from cmow import load
from cmow.cli import demo, main
from cmow.evaluation import TASKS
from cmow.paper.demo import material as rooms
from cmow.paper.grammar import Grammar

MODELS = ("cbow", "cmow", "hybrid")


@pytest.fixture(autouse=True)
def _quick(monkeypatch, tiny):
    monkeypatch.setattr(demo, "_settings", lambda: tiny)


@pytest.fixture(scope="module")
def done(tmp_path_factory, tiny):
    """A demo in 80 columns: where it ran, and what it showed."""
    place = tmp_path_factory.mktemp("demo")
    shown = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(shown):
        patch.setattr(demo, "_settings", lambda: tiny)
        patch.setattr(sys, "argv", ["cmow", "demo", "out"])
        patch.setenv("COLUMNS", "80")
        patch.chdir(place)
        with pytest.raises(SystemExit) as leaving:
            main()
    assert not leaving.value.code
    shown.seek(0)
    return place, shown.read()


def unbroken(shown):
    """The lines, with those that go on behind a backslash put together."""
    return re.sub(r" \\\n +", " ", shown).splitlines()


def test_demo_shows_ten_tasks_for_three_models(done):
    place, shown = done
    for name in MODELS:
        assert load(place / "out" / name).training["updates"] == 2
    scores = json.loads((place / "out/scores.json").read_text())["models"]
    assert list(scores) == ["H-CBOW", "H-CMOW", "CBOW", "CMOW", "Hybrid"]
    probing = [name for name, task in TASKS.items() if task.group == "probing"]
    assert set(probing) <= set(scores["Hybrid"])
    assert all(task in shown for task in probing)
    assert scores["CBOW"]["Arguments"]["score"] == 0 < scores["CMOW"]["Arguments"]["score"]
    assert (place / "out/scores.png").read_bytes().startswith(b"\x89PNG")


def test_it_opens_with_the_model_that_ships(done):
    opening, _, rest = done[1].partition("2. The paper in small")
    assert "Two thieves broke into the jewelry store" in opening
    flights = opening.partition("flights from Amsterdam to Berlin")[2].splitlines()
    assert flights[1].endswith(" 0  cannot tell")
    assert "█" in flights[2]
    assert re.search(r"10,000 texts of \d+ words in [\d.]+ s, [\d,]+ a second on \d", opening)
    assert "3. Three models" in rest


def test_it_leaves_something_to_search_and_a_page(cmow, done, monkeypatch):
    place, shown = done
    monkeypatch.chdir(place)
    line = next(line for line in unbroken(shown) if " search " in line)
    _, *arguments = shlex.split(line)
    code, found, _ = cmow(*arguments)
    assert code == 0
    assert "Dogs are welcome" in found.splitlines()[0]
    assert (place / "out/page/index.html").is_file()
    assert "  python3 -m http.server --directory out/page" in unbroken(shown)


def test_nothing_is_wider_than_the_terminal_or_broken_within(done):
    shown = done[1]
    assert max(map(len, shown.splitlines())) <= 80
    assert "…" not in shown  # of a cell that is cut
    assert "vs." not in shown
    assert sum(line.startswith(" task ") for line in shown.splitlines()) == 2  # each in one piece
    evaluate = "  cmow evaluate out/cbow out/cmow out/hybrid --data out --normalize parts"
    assert evaluate in unbroken(shown)


def test_bars_say_what_a_sum_cannot_tell(done):
    _, _, drawn = done[1].partition("  the cat chased the dog  (")
    cbow, matrices, hybrid = drawn.splitlines()[1:4]
    assert cbow.split() == ["CBOW", "0", "cannot", "tell"]
    assert float(matrices.split()[-1]) > 0
    assert float(hybrid.split()[-1]) > 0


def test_demo_may_run_again_and_without_matplotlib_says_how_to_get_pictures(
    cmow, done, monkeypatch
):
    place, _ = done
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    code, shown, _ = cmow("demo", place / "out")
    assert code == 0
    assert "pip install 'cmow[plot]'" in shown
    assert not (place / "out/scores.png").exists()
    assert (place / "out/scores.md").exists()


def test_demo_on_a_text_of_ones_own(cmow, monkeypatch, tmp_path):
    monkeypatch.setattr(rooms, "find_spec", lambda _: None)
    text = tmp_path / "my.txt"
    text.write_text("".join(f"{sentence.text}\n" for sentence in Grammar(3).sentences(1_200)))
    code, shown, _ = cmow("demo", tmp_path / "out", "--corpus", text)
    assert code == 0
    assert "Not asked: Depth" in shown
    assert "two neighbors swapped" in shown
    assert "the dog chased the cat" not in shown
    opening, _, rest = shown.partition("2. The paper in small")
    assert "What the model that comes with the package says of your text" in opening
    assert re.search(r"order=0, a bag of words +50.0  cannot tell", opening)
    assert "english" in next(line for line in rest.splitlines() if line.startswith(" task "))


@pytest.mark.parametrize("content", [None, "", "too few .\n"])
def test_a_text_that_does_not_do_is_refused_in_one_line(cmow, tmp_path, content):
    text = tmp_path / "my.txt"
    if content is not None:
        text.write_text(content)
    code, shown, told = cmow("demo", tmp_path / "out", "--corpus", text)
    assert (code, shown) == (2, "")
    assert told.count("\n") == 1
    assert "my.txt" in told
    assert not (tmp_path / "out").exists()


def test_an_empty_name_and_an_empty_stdin_say_what_to_give(cmow, monkeypatch, tmp_path):
    code, _, told = cmow("demo", tmp_path / "out", "--corpus", "")
    assert code == 2
    assert "'--corpus': the name is empty: name a file with a sentence a line" in told
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
    code, _, told = cmow("demo", tmp_path / "out", "--corpus", "-")
    assert code == 2
    assert told.count("\n") == 1
    assert "<stdin>: 0 different lines of 5 to 28 words; give it a text of at least 100" in told
    assert not (tmp_path / "out").exists()


def test_demo_replaces_nothing_else(cmow, tmp_path):
    (tmp_path / "precious").touch()
    code, _, told = cmow("demo", tmp_path)
    assert code == 2
    assert "neither empty nor an earlier demo's" in told


def test_what_a_large_text_shows_is_what_was_measured():
    scores = Path(__file__).parents[2] / "results/recipe/scores/hybrid-1184-0.json"
    if not scores.is_file():
        pytest.skip("there are no results beside the tests")
    score = json.loads(scores.read_text())["tasks"]["BShift"]["score"]
    assert f"in {score:.0f} of 100 cases" in demo.LARGE_TEXT
