"""The figures of README and documentation are those of the results."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def figures(monkeypatch):
    if not (ROOT / "results").is_dir():
        pytest.skip("there are no results beside the tests")
    monkeypatch.syspath_prepend(ROOT / "bench")
    sys.modules.pop("figures", None)
    import figures

    return figures


def test_the_figures_come_from_the_results(figures):
    for page in figures.BLOCKS:
        assert figures.filled(page) == (ROOT / page).read_text("utf-8"), page


@pytest.mark.usefixtures("figures")
def test_the_picture_of_the_first_page_shows_the_results():
    import glance

    drawn = glance.PICTURE.read_text("utf-8")
    assert [label for label in glance.labels() if f"<!-- {label} -->" not in drawn] == []
