"""Help that teaches, and fits the terminal."""

import re
from typing import Any

import pytest
from processes import run
from typer.core import TyperArgument
from typer.main import get_command

from cmow.cli import app
from cmow.cli.app import GROUPS


def commands(group: Any = None, path: tuple[str, ...] = ()) -> dict[tuple[str, ...], Any]:
    """All commands, those of groups too, by their words."""
    found = {}
    for name, each in (group or get_command(app)).commands.items():
        words = (*path, name)
        found[words] = each
        if hasattr(each, "commands"):
            found |= commands(each, words)
    return found


COMMANDS = commands()
EACH = pytest.mark.parametrize("words", COMMANDS, ids=" ".join)


@EACH
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_an_example(cmow, words, flag):
    code, shown, told = cmow(*words, flag)
    command = " ".join(words)
    assert (code, told) == (0, "")
    assert re.search(rf"Usage: cmow {command} ", shown)
    assert re.search(rf"(?<!Usage: )cmow {command}\b", shown)


@EACH
@pytest.mark.parametrize("width", [80, 120])
def test_nothing_is_cut(cmow, words, width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    _, shown, _ = cmow(*words, "--help")
    assert max(map(len, shown.splitlines())) <= width
    assert "…" not in shown.replace("mps …", "")
    for each in COMMANDS[words].params:
        if not isinstance(each, TyperArgument):
            names = [name for name in each.opts if name != "-h"]
            if each.secondary_opts:
                assert each.secondary_opts[0].startswith("--no-")
                names = [f"--[no-]{name.removeprefix('--')}" for name in names]
            assert all(re.search(rf"{re.escape(name)}[ ,]", shown) for name in names), names


@EACH
def test_no_word_is_broken(cmow, words, monkeypatch):
    shown = []
    for width in ("80", "120"):
        monkeypatch.setenv("COLUMNS", width)
        shown.append(set(re.findall(r"[^\s│╭╮╰╯─]+", cmow(*words, "--help")[1])))
    assert shown[0] == shown[1]


@EACH
def test_what_stands_for_a_value_is_plain(words):
    for each in COMMANDS[words].params:
        if not getattr(each, "is_flag", False):
            value = each.metavar or (each.name.upper() if isinstance(each, TyperArgument) else "")
            plain = r"[A-Z]+|[A-Z]+(\.\.\.)?( [A-Z]+(\.\.\.)?)+|[\w|]+"
            assert re.fullmatch(plain, value), (each.name, value)
            assert each.help


def test_every_command_is_in_one_group():
    grouped = [name for names in GROUPS.values() for name in names]
    assert sorted(grouped) == sorted(get_command(app).commands)


def test_cmow_alone_shows_the_commands(cmow):
    assert cmow() == cmow("--help")
    code, shown, _ = cmow()
    assert code == 0
    for title in GROUPS:
        assert f"─ {title} ─" in shown
    for words in COMMANDS:
        assert len(words) > 1 or f" {words[0]} " in shown


def test_group_alone_shows_its_commands(cmow):
    _, shown, told = cmow("probing")
    assert re.search("build +Rebuild the ten tasks", shown)
    assert told == ""


def test_former_names_are_understood_and_not_shown(cmow, model):
    assert cmow("neighbours", model, "dog") == cmow("neighbors", model, "dog")
    assert "neighbours" not in cmow("--help")[1]
    settings = ["train", "--print-config"]
    former = cmow(*settings, "--centres", 7, "--initialisation", "glorot")
    assert former == cmow(*settings, "--centers", 7, "--initialization", "glorot")
    assert former[0] == 0
    assert "--centres" not in cmow("train", "--help")[1]


def test_python_m_cmow():
    told = run("--version")
    assert re.fullmatch(rb"cmow \d+\.\d+\.\d+\S*\n", told.stdout)
