"""The scores as grouped bars."""

from pathlib import Path

import numpy as np

from cmow.errors import MissingExtraError
from cmow.evaluation.report import Report
from cmow.evaluation.tables import Scores, paper_rows, scores_of

INCHES_A_BAR = 0.16
PANEL_HEIGHT = 2.8


def save_plot(report: Report, path: Path, *, with_paper: bool = False) -> None:
    """Write a picture with a panel for each group of tasks and a bar for each model."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("matplotlib", "plot") from None
    groups = list(dict.fromkeys(report.tasks.values()))
    bars = {group: _bars(report, group, with_paper) for group in groups}
    names = list(dict.fromkeys(name for by_model in bars.values() for name in by_model))
    widest = max(len(_tasks(report, g)) * (len(bars[g]) + 1) for g in groups)
    size = (max(6.0, 1.2 + INCHES_A_BAR * widest), PANEL_HEIGHT * len(groups) + 0.6)
    figure = Figure(figsize=size, layout="constrained")
    for group, panel in zip(groups, figure.subplots(len(groups), squeeze=False)[:, 0], strict=True):
        tasks = _tasks(report, group)
        width = 0.85 / max(1, len(bars[group]))
        for number, (name, scores) in enumerate(bars[group].items()):
            places = np.arange(len(tasks)) + (number - (len(bars[group]) - 1) / 2) * width
            heights = [scores.get(task, 0.0) for task in tasks]
            colour = f"C{names.index(name) % 10}"
            panel.bar(places, heights, width, label=name, color=colour)
        panel.set_title(report.group(tasks[0]), loc="left", fontsize=10, fontweight="bold")
        panel.set_xticks(np.arange(len(tasks)), tasks, fontsize=8)
        panel.set_ylabel("score", fontsize=8)
        panel.tick_params(axis="y", labelsize=8)
        panel.grid(axis="y", alpha=0.3)
        panel.set_axisbelow(True)
        panel.spines[["top", "right"]].set_visible(False)
    handles = {}
    for panel in figure.axes:
        handles.update(dict(zip(*panel.get_legend_handles_labels()[::-1], strict=True)))
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", ncols=4, fontsize=8)
    figure.savefig(path, dpi=150)


def _tasks(report: Report, group: str) -> list[str]:
    return [task for task, its_group in report.tasks.items() if its_group == group]


def _bars(report: Report, group: str, with_paper: bool) -> dict[str, Scores]:
    """The scores by model, of those that have any in the group."""
    rows = {**(paper_rows(report, group) if with_paper else {})}
    rows.update({model: scores_of(report, model) for model in report.models})
    tasks = _tasks(report, group)
    return {name: scores for name, scores in rows.items() if any(t in scores for t in tasks)}
