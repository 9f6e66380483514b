"""The picture of the scores has what the terminal's bars have."""

import pytest
from matplotlib.figure import Figure

from cmow.evaluation import Report, Result, Run
from cmow.paper.demo import CBOW, CMOW, HYBRID, findings, save_picture
from cmow.paper.demo.picture import COLORS, LEGEND
from cmow.paper.probing import BuiltSet

SCORES = {"BShift": 70.0, "WC": 40.0, "Swap": 12.0}
GROUPS = {"BShift": "probing", "WC": "probing", "Swap": "movement"}


@pytest.fixture
def drawn(monkeypatch, tmp_path) -> Figure:
    kept = []
    saving = Figure.savefig
    monkeypatch.setattr(
        Figure, "savefig", lambda self, *a, **k: (kept.append(self), saving(self, *a, **k))
    )
    runs = {
        name: {task: Run(Result(score), 0.0) for task, score in SCORES.items()}
        for name in ("H-CBOW", CBOW, CMOW, HYBRID)
    }
    runs[CBOW]["Swap"] = Run(Result(0.0), 0.0)
    report = Report(
        tasks=GROUPS, metrics=dict.fromkeys(GROUPS, ""), runs=runs, missing={}, left_out={},
        seed=0, compare=HYBRID, rebuilt=True, seconds=0.0,
    )  # fmt: skip
    sets = [
        BuiltSet(task, "", 9, 9, 99, classes, True) for task, classes in (("BShift", 2), ("WC", 50))
    ]
    save_picture(report, findings(report, sets), ["Swap"], tmp_path / "scores.png")
    assert (tmp_path / "scores.png").read_bytes().startswith(b"\x89PNG")
    return kept[0]


def test_each_model_has_its_color_and_its_name_once(drawn):
    [legend] = drawn.legends
    names = [text.get_text() for text in legend.get_texts()]
    assert sorted(names) == sorted(["guessing", *(LEGEND[name] for name in (CBOW, CMOW, HYBRID))])
    for panel in drawn.axes:
        colors = [bars.patches[0].get_facecolor()[:3] for bars in panel.containers]
        assert len(set(colors)) == len(colors) == 3
    assert len(set(COLORS.values())) == len(COLORS)


def test_guessing_is_a_line_at_its_height_in_each_group(drawn):
    lines = [each for each in drawn.axes[0].collections if len(each.get_segments()) == 1]
    assert [each.get_segments()[0][0][1] for each in lines] == [50, 2]


def test_axes_say_what_they_show(drawn):
    answers, movement = drawn.axes
    assert "percent" in answers.get_ylabel()
    assert "distance" in movement.get_ylabel()
    told = [text.get_text() for text in movement.texts]
    assert "as far as another sentence" in told
    assert "0" in told  # a sum does not move at all
