"""Every code block of the README and of the documentation does what the page says."""

import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest
from blocks import FENCE, Block, agrees, blocks_of
from typer.main import get_command

from cmow.cli import app

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
SHOWN_ONLY = {"", "bibtex"}  # formulas, layouts: nothing that could be run

TRAINS_FIRST = {"README.md", "quickstart.md", "training.md", "corpus.md"}  # finds no model/

NEEDS = {
    "paper.md": ["torch"],
    "training.md": ["torch"],
    "clusters.md": ["ray", "pyspark"],
    "integrations.md": ["langchain_core", "faiss", "mteb"],
}
SCORES_MANY_MODELS = {"paper.md", "recipes.md"}  # on few tasks, so as not to take minutes

# A run of training that does not say when it ends is ended soon, and so are experiments; the demo
# is small; make, whose tests these are, only tells what it would do.
IN_SHORT = """
set -euo pipefail
make() {
    command make --dry-run --directory "$ROOT" "$@"
}
cmow() {
    case " $* " in
        *" demo "*) python small_demo.py "$@" ;;
        *" reproduce "*) command cmow "$@" --config short.toml --seeds 1 ;;
        *" train "*" --max-updates "*) command cmow "$@" ;;
        *" train "*) command cmow "$@" --max-updates 2 ;;
        *) command cmow "$@" ;;
    esac
}
torchrun() {
    command torchrun "$@" --max-updates 2
}
"""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_blocks_of_a_page_run(page: Path, place: Path):
    if page.name in TRAINS_FIRST:
        shutil.rmtree(place / "model")
    for library in NEEDS.get(page.name, []):
        pytest.importorskip(library)
    if page.name in SCORES_MANY_MODELS:
        _keep_one_task(place / "senteval")
    names: dict[str, object] = {"__name__": "page"}
    for block in blocks_of(page):
        if block.language in SHOWN_ONLY or block.file:  # test_additions.py has the files
            continue
        where = f"{page.name}:{block.line}"
        printed = _run(block, names, place, where)
        if block.output is not None:
            assert agrees(block.output, printed), f"{where} prints\n{printed}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_there_are_no_indented_blocks(page: Path):
    lines = ["", *FENCE.sub("", page.read_text("utf-8")).splitlines()]
    starts = pairwise(lines)
    assert [line for before, line in starts if not before and line.startswith("    ")] == []


def test_every_command_is_listed():
    listed = (ROOT / "docs/command-line.md").read_text("utf-8")
    assert [name for name in get_command(app).commands if f"| `cmow {name}" not in listed] == []


def test_every_room_is_described():
    described = (ROOT / "docs/architecture.md").read_text("utf-8")
    rooms = [folder.parent.name for folder in (ROOT / "src/cmow").glob("*/__init__.py")]
    assert [room for room in rooms if f"| `{room}/` |" not in described] == []


def test_numbers_may_differ_in_their_last_digit_only():
    assert agrees("cosine 0.97, …\n", "cosine 0.96, and more\n")
    assert not agrees("cosine 0.97\n", "cosine 0.95\n")
    assert not agrees("cosine 0.97\n", "sine 0.97\n")
    assert not agrees("3 words\n", "4 words\n")


def _keep_one_task(senteval: Path) -> None:
    trec = senteval.with_name("trec")
    (senteval / "downstream/TREC").rename(trec)
    shutil.rmtree(senteval)
    (senteval / "downstream").mkdir(parents=True)
    trec.rename(senteval / "downstream/TREC")


def _run(block: Block, names: dict[str, object], place: Path, where: str) -> str:
    if block.language == "python":
        # Empty lines in front, so that tracebacks name the line of the page.
        code = compile("\n" * (block.line - 1) + block.code, where.partition(":")[0], "exec")
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(code, names)
        return printed.getvalue()
    if block.language == "sh":
        return _run_shell(block.code, place, where)
    readers = {"json": json.loads, "toml": tomllib.loads}
    readers[block.language](block.code)
    return ""


def _run_shell(code: str, place: Path, where: str) -> str:
    tools = Path(sys.executable).parent
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", IN_SHORT + code],
        cwd=place,
        env={**os.environ, "PATH": path, "ROOT": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{where} ends with {done.returncode}\n{done.stderr}"
    return done.stdout
