"""Help that teaches."""

import re

import pytest
from processes import run
from typer.main import get_command

from cmow.cli import app

COMMANDS = list(get_command(app).commands)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_an_example(cmow, command, flag):
    code, shown, told = cmow(command, flag)
    assert (code, told) == (0, "")
    assert re.search(rf"Usage: cmow {command} ", shown)
    assert re.search(rf"(?<!Usage: )cmow {command}\b", shown)


def test_cmow_alone_shows_the_commands(cmow):
    assert cmow() == cmow("--help")
    code, shown, _ = cmow()
    assert code == 0
    for command in COMMANDS:
        assert f" {command} " in shown


def test_group_alone_shows_its_commands(cmow):
    _, shown, told = cmow("probing")
    assert "cmow probing build" in shown
    assert told == ""


def test_python_m_cmow():
    told = run("--version")
    assert re.fullmatch(rb"cmow \d+\.\d+\.\d+\S*\n", told.stdout)
