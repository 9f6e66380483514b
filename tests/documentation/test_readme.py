"""The README's code runs and prints what it says, and its figures are those of the benchmarks."""

import contextlib
import io
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_the_example_prints_what_the_readme_says(tmp_path, monkeypatch):
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL).group(1)
    promised = re.search(r"prints\n\n```\n(.*?)```", README, re.DOTALL).group(1)
    monkeypatch.chdir(tmp_path)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(code, "README.md", "exec"), {})
    assert printed.getvalue() == promised


def test_the_figures_come_from_the_results(monkeypatch):
    if not (ROOT / "results").is_dir():
        pytest.skip("there are no results beside the tests")
    monkeypatch.syspath_prepend(ROOT / "bench")
    sys.modules.pop("figures", None)
    import figures

    assert figures.BLOCK.search(README).group() == figures.block()


def test_links_lead_somewhere():
    targets = re.findall(r"\]\((?!http)([^)#]+)\)", README)
    assert targets
    assert [target for target in targets if not (ROOT / target).exists()] == []
