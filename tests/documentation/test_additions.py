"""The part and the objective that the page on the house adds to it can be built, and are right."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from blocks import Block, blocks_of

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent
ADDITIONS = [block for block in blocks_of(ROOT / "docs/architecture.md") if block.file]
SETTINGS = [f"-DPython_EXECUTABLE={sys.executable}", "-DCMOW_PLAIN=ON", "-DCMAKE_BUILD_TYPE=Debug"]


def test_what_the_page_adds_is_right(tmp_path: Path):
    pytest.importorskip("torch")
    house = tmp_path / "house"
    compiled = shutil.ignore_patterns("*.so", "__pycache__")
    for room in ("core", "src"):
        shutil.copytree(ROOT / room, house / room, ignore=compiled)
    shutil.copy(ROOT / "CMakeLists.txt", house)
    for block in ADDITIONS:
        add(block, house)
    build = house / "build"
    run("cmake", "-S", house, "-B", build, *SETTINGS)
    run("cmake", "--build", build, "--parallel", str(os.cpu_count()))
    run("cmake", "--install", build, "--prefix", house / "src")
    # -S keeps out the package that is installed for the other tests.
    pytest_alone = ("-m", "pytest", "--noconftest", "-p", "no:cacheprovider", "-x")
    run(sys.executable, "-S", *pytest_alone, HERE / "additions.py", house=house)


def add(block: Block, house: Path) -> None:
    """Write a file, or change one as a diff says."""
    file = house / block.file
    if block.language != "diff":
        assert not file.exists()
        file.write_text(block.code)
        return
    text = file.read_text()
    for hunk in block.code.split("@@\n"):
        lines = hunk.splitlines(keepends=True)
        before = "".join(line[1:] for line in lines if line[0] in " -")
        assert text.count(before) == 1, f"{block.file} has not, or not once:\n{before}"
        text = text.replace(before, "".join(line[1:] for line in lines if line[0] in " +"))
    file.write_text(text)


def run(*command: str | Path, house: Path = ROOT) -> None:
    tools = (Path(sys.executable).parent, os.environ["PATH"])
    tests = (house / "src", ROOT / "tests", ROOT / "tests/encoder", sysconfig.get_path("purelib"))
    paths = {"PATH": tools, "PYTHONPATH": tests}
    environment = {name: os.pathsep.join(map(str, some)) for name, some in paths.items()}
    environment["CMOW_LEVEL"] = "plain"  # whatever the other tests run with
    done = subprocess.run(
        command, env={**os.environ, **environment}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{done.stdout[-8000:]}\n{done.stderr[-8000:]}"
