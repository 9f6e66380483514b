"""The README's figures are those of the benchmarks."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()


def test_the_figures_come_from_the_results(monkeypatch):
    if not (ROOT / "results").is_dir():
        pytest.skip("there are no results beside the tests")
    monkeypatch.syspath_prepend(ROOT / "bench")
    sys.modules.pop("figures", None)
    import figures

    assert figures.BLOCK.search(README).group() == figures.block()
