"""The scores as a picture: what guessing gives, what each model knows, how far order moves."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from cmow.evaluation import Report, scores_of
from cmow.paper.demo.findings import Finding
from cmow.paper.demo.settings import CBOW, CMOW, ENGLISH, HYBRID

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLORS = {CBOW: "#8a8d91", CMOW: "#e07b39", HYBRID: "#30638e", ENGLISH: "#3a9d5d"}
LEGEND = {
    CBOW: "CBOW: adds",
    CMOW: "CMOW: multiplies",
    HYBRID: "Hybrid: both",
    ENGLISH: "english: comes with cmow",
}
CHANGES = {
    "Swap": "two neighbors\nswapped",
    "Reverse": "read\nbackwards",
    "Arguments": "subject and object\nexchanged",
}
TASK_NAMES = {
    "Depth": "tree\ndepth",
    "BShift": "neighbors\nswapped?",
    "SubjNum": "subject's\nnumber",
    "Tense": "tense",
    "CoordInv": "clauses\nswapped?",
    "Length": "length",
    "ObjNum": "object's\nnumber",
    "TopConst": "phrases",
    "SOMO": "odd word?",
    "WC": "which\nwords",
}


def save_picture(
    report: Report, found: Sequence[Finding], reorderings: Sequence[str], path: Path
) -> None:
    """Draw the answers beside guessing, and how far another order moves a sentence."""
    from matplotlib.figure import Figure

    names = [name for name in report.models if name in COLORS]
    rows = 2 if reorderings else 1
    figure = Figure(figsize=(10, 4 * rows), layout="constrained", facecolor="white")
    panels = figure.subplots(rows, squeeze=False)[:, 0]
    _draw_answers(panels[0], found, names)
    if reorderings:
        _draw_movement(panels[1], report, reorderings, names)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper left", ncols=5, fontsize=10, frameon=False)
    figure.savefig(path, dpi=150)


def _draw_answers(panel: "Axes", found: Sequence[Finding], names: Sequence[str]) -> None:
    heights = {name: [each.scores[name] for each in found] for name in names}
    _bars(panel, heights)
    for place, each in enumerate(found):
        label = "guessing" if place == 0 else ""
        panel.hlines(each.chance, place - 0.45, place + 0.45, "black", "--", lw=1.5, label=label)
    panel.set_xticks(range(len(found)), [TASK_NAMES[each.task] for each in found])
    panel.set_ylim(0, 104)
    panel.set_ylabel("right answers, percent")
    panel.set_title("What an embedding knows of its sentence", loc="left", fontweight="bold")


def _draw_movement(
    panel: "Axes", report: Report, reorderings: Sequence[str], names: Sequence[str]
) -> None:
    heights = {name: [scores_of(report, name)[task] for task in reorderings] for name in names}
    _bars(panel, heights)
    for number, name in enumerate(names):
        for place, height in enumerate(heights[name]):
            if height == 0:
                panel.annotate(
                    "0", (place + _shift(number, len(names)), 0), ha="center", va="bottom"
                )
    panel.axhline(100, color="black", ls="--", lw=1.5)
    across = panel.get_yaxis_transform()
    panel.text(0.995, 101, "as far as another sentence", transform=across, ha="right")
    panel.set_xticks(range(len(reorderings)), [CHANGES[task] for task in reorderings])
    panel.set_ylim(0, max(112.0, *(max(values) + 8 for values in heights.values())))
    panel.set_ylabel("distance from the sentence")
    panel.set_title(
        "How far another order of its words moves a sentence", loc="left", fontweight="bold"
    )


def _bars(panel: "Axes", heights: dict[str, list[float]]) -> None:
    """A bar for each model, in its color, in each group."""
    for number, (name, values) in enumerate(heights.items()):
        places = [place + _shift(number, len(heights)) for place in range(len(values))]
        panel.bar(places, values, 0.8 / len(heights), label=LEGEND[name], color=COLORS[name])
    panel.margins(x=0.01)
    panel.grid(axis="y", alpha=0.3)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def _shift(number: int, count: int) -> float:
    """Where the bar of a model stands beside the middle of its group."""
    return (number - (count - 1) / 2) * 0.8 / count
