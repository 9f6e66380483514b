import io
import sys

from cmow.cli import stages
from cmow.progress import Progress


def test_a_pipe_is_told_the_task_the_share_and_the_time_left(capsys, monkeypatch):
    clock = iter([0.0, 30.0, 30.0, 35.0, 60.0, 60.0])
    monkeypatch.setattr(stages.time, "monotonic", lambda: next(clock))
    with stages.shown_stages("share") as show:
        show(Progress("model: CR", 0, 400))
        show(Progress("model: MR", 50, 400))  # too soon after the line before
        show(Progress("model: MR", 100, 400))
    assert capsys.readouterr().err.splitlines() == [
        "model: CR (0%)",
        "model: MR (25%), about 3:00 left",
    ]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_shows_a_bar_when_there_is_something_to_show(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal := Terminal())
    with stages.shown_stages("items"):
        pass
    assert "0/" not in terminal.getvalue()
    with stages.shown_stages("items") as show:
        show(Progress("parsing", 30, 60))
        show(Progress("choosing WC", 9, 10))
    assert "9/10" in terminal.getvalue()
    assert "0/60" not in terminal.getvalue().replace("30/60", "")
