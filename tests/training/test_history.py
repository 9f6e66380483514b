"""The history of a run and its pictures."""

import sys

import pytest

from cmow.errors import FormatError, MissingExtraError
from cmow.training.checksum import checksum_of
from cmow.training.history import Extent, History, Progress, read_history
from cmow.training.plot import find_history, plot_history


def progress(update: int, *, validated: bool = False) -> Progress:
    return Progress(
        update=update,
        updates=100,
        epoch=0.5,
        unit="windows",
        examples=10 * update,
        tokens=11 * update,
        seconds=1.5,
        examples_per_second=1e4,
        seconds_left=3.0,
        learning_rate=0.01,
        training_loss=5 / update,
        validation_loss=4 / update,
        validated=validated,
        is_line=True,
    )


@pytest.fixture
def history(tmp_path):
    made = History(tmp_path)
    for update in range(1, 10):
        made.add(progress(update, validated=update % 3 == 0))
    made.flush()
    made.close()
    return made.path


def test_lines_are_read_as_written(history):
    lines = read_history(history)
    assert [line["update"] for line in lines] == list(range(1, 10))
    assert [line["update"] for line in lines if "validation_loss" in line] == [3, 6, 9]
    assert lines[0]["training_loss"] == 5


def test_a_resumed_history_loses_what_came_after_the_checkpoint(history):
    size = len(b"".join(history.read_bytes().splitlines(keepends=True)[:4]))
    again = History(history.parent, Extent(size, checksum_of(history.read_bytes()[:size])))
    again.add(progress(77))
    again.close()
    assert [line["update"] for line in read_history(history)] == [1, 2, 3, 4, 77]


def test_a_line_that_is_being_written_is_left_out(history):
    history.write_bytes(history.read_bytes() + b'{"update": 1')
    assert len(read_history(history)) == 9


def test_what_is_no_history_is_named(history):
    history.write_bytes(b'{"update": 1}\nnonsense\n')
    with pytest.raises(FormatError, match=r"history\.jsonl, line 2"):
        read_history(history)


def test_curves_are_drawn(history):
    png, svg = plot_history(history, history.with_name("my.curves"))
    assert (png.name, svg.name) == ("my.curves.png", "my.curves.svg")
    assert png.read_bytes().startswith(b"\x89PNG")
    text = svg.read_text()
    assert "<svg" in text
    for label in ("training", "validation", "best 0.4444 at 9", "learning rate"):
        assert f"<!-- {label} -->" in text


def test_there_may_be_nothing_to_draw(tmp_path):
    with pytest.raises(FormatError, match=r"has no history\.jsonl"):
        find_history(tmp_path / "model")
    (tmp_path / "history.jsonl").write_text("")
    with pytest.raises(FormatError, match="no lines yet"):
        plot_history(tmp_path / "history.jsonl", tmp_path / "curves")


def test_matplotlib_may_be_missing(history, monkeypatch):
    for name in [name for name in sys.modules if name.startswith("matplotlib")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'cmow\[plot\]'"):
        plot_history(history, history.with_name("curves"))
