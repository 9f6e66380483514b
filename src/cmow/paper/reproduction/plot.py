"""The pictures of experiments: scores as grouped bars, and curves."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from cmow.evaluation import REBUILT, Report, Result, Run
from cmow.paper.reproduction.experiment import Experiment
from cmow.paper.reproduction.tables import OfSeeds, means

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_scores(experiment: Experiment, found: Mapping[str, OfSeeds], path: Path) -> None:
    """Draw the mean scores of all rows."""
    first = next(iter(found.values()))[0]
    scores = [each for row in found.values() for seed in row for each in seed.values()]
    report = Report(
        tasks={task: each["group"].removesuffix(REBUILT) for task, each in first.items()},
        metrics={task: each["metric"] for task, each in first.items()},
        runs={
            row: {task: Run(Result(score), 0.0) for task, score in means(of_seeds).items()}
            for row, of_seeds in found.items()
        },
        missing={},
        left_out={},
        seed=0,
        compare=experiment.compare or next(iter(found)),
        rebuilt=any(each["group"].endswith(REBUILT) for each in scores),
        seconds=0.0,
    )
    report.save(path)


@contextmanager
def drawn_curves(path: Path) -> Iterator["Axes"]:
    """Axes to draw curves with labels on, which are saved in the end."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.2), layout="constrained")
    axes = figure.subplots()
    yield axes
    axes.grid(alpha=0.3)
    axes.legend(fontsize=8)
    figure.savefig(path, dpi=150)
