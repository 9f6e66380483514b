"""Which instruction level is used, and what the benchmarks' peaks say of it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cmow import _core
from cmow.errors import ConfigError


def level_in_a_new_process(forced: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from cmow import _core; print(_core.level())"],
        env={**os.environ, "CMOW_LEVEL": forced},
        capture_output=True,
        text=True,
    )


def test_plain_is_always_there_and_the_level_in_use_is_supported():
    assert _core.levels()[0] == "plain"
    assert _core.level() in _core.levels()


@pytest.mark.parametrize("level", _core.levels())
def test_the_environment_forces_a_level(level):
    assert level_in_a_new_process(level).stdout.strip() == level


def test_an_empty_variable_forces_nothing():
    assert level_in_a_new_process("").stdout.strip() in _core.levels()


def test_an_unknown_level_names_those_there_are():
    with pytest.raises(ConfigError, match=r"CMOW_LEVEL=sse9 .* choose from plain"):
        _core.use_level("sse9")
    assert "CMOW_LEVEL=sse9" in level_in_a_new_process("sse9").stderr


def test_the_core_asks_the_cpu_itself():
    core = Path(__file__).parents[2] / "core"
    if not core.is_dir():
        pytest.skip("there is no source beside the tests")
    asking = [file.name for file in core.rglob("*.?pp") if "__builtin_cpu_s" in file.read_text()]
    assert asking == ["cpu.hpp"]  # which says why not
