"""The scores as grouped bars."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cmow.evaluation.report import Report
from cmow.evaluation.tables import Scores, paper_rows, scores_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INCHES_A_BAR = 0.16
INCHES_A_NAME = 0.8
PANEL_HEIGHT = 2.8
PAPER_LOOK: dict[str, Any] = {"alpha": 0.45, "hatch": "////", "edgecolor": "white"}


def save_plot(report: Report, path: Path, *, with_paper: bool = False) -> None:
    """Write a picture with a panel for each group of tasks and a bar for each model."""
    from matplotlib.figure import Figure

    groups = {group: _tasks(report, group) for group in dict.fromkeys(report.tasks.values())}
    bars = {group: _bars(report, group, with_paper) for group in groups}
    names = list(dict.fromkeys(name for rows in bars.values() for name in rows))
    widest = max(
        len(tasks) * max(INCHES_A_NAME, INCHES_A_BAR * (len(bars[group]) + 1))
        for group, tasks in groups.items()
    )
    size = (max(6.0, 1.2 + widest), PANEL_HEIGHT * len(groups) + 0.6)
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(len(groups), squeeze=False)[:, 0]
    for (group, tasks), panel in zip(groups.items(), panels, strict=True):
        _draw(panel, tasks, bars[group], names)
        panel.set_title(report.group(tasks[0]), loc="left", fontsize=10, fontweight="bold")
        panel.set_ylabel("\n".join({report.metrics[t]: "" for t in tasks}), fontsize=8)
    handles = {}
    for panel in panels:
        handles.update(dict(zip(*panel.get_legend_handles_labels()[::-1], strict=True)))
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=4, fontsize=8)
    figure.savefig(path, dpi=150)


def _draw(panel: "Axes", tasks: list[str], bars: dict[str, Scores], names: list[str]) -> None:
    """The bars of one group; a model has the same color in every group."""
    width = 0.85 / len(bars)
    for number, (name, scores) in enumerate(bars.items()):
        places = np.arange(len(tasks)) + (number - (len(bars) - 1) / 2) * width
        heights = [scores.get(task, 0.0) for task in tasks]
        look = PAPER_LOOK if name.startswith("paper: ") else {}
        panel.bar(places, heights, width, label=name, color=f"C{names.index(name) % 10}", **look)
    panel.set_xticks(np.arange(len(tasks)), tasks, fontsize=8)
    panel.margins(x=0.01)
    panel.tick_params(axis="y", labelsize=8)
    panel.grid(axis="y", alpha=0.3)
    panel.set_axisbelow(True)
    panel.spines[["top", "right"]].set_visible(False)


def _tasks(report: Report, group: str) -> list[str]:
    """The tasks of a group that any model did."""
    tasks = [task for task, its_group in report.tasks.items() if its_group == group]
    done = {task for runs in report.runs.values() for task in runs}
    return [task for task in tasks if task in done] or tasks


def _bars(report: Report, group: str, with_paper: bool) -> dict[str, Scores]:
    """The scores by model, the paper's behind ours."""
    ours: dict[str, Scores] = {model: scores_of(report, model) for model in report.models}
    return {**ours, **(paper_rows(report, group) if with_paper else {})}
