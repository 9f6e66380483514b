"""The scores of an experiment as grouped bars."""

from collections.abc import Mapping
from pathlib import Path

from cmow.evaluation.report import Report, Run
from cmow.evaluation.task import Result
from cmow.reproduction.experiment import Experiment
from cmow.reproduction.tables import OfSeeds, means


def plot_scores(experiment: Experiment, found: Mapping[str, OfSeeds], path: Path) -> None:
    """Draw the mean scores of all rows."""
    first = next(iter(found.values()))[0]
    groups = {task: each["group"].removesuffix(" (rebuilt)") for task, each in first.items()}
    report = Report(
        tasks=groups,
        metrics={task: each["metric"] for task, each in first.items()},
        runs={
            row: {task: Run(Result(score), 0.0) for task, score in means(of_seeds).items()}
            for row, of_seeds in found.items()
        },
        missing={},
        left_out={},
        seed=0,
        compare=experiment.compare or next(iter(found)),
        rebuilt=any(each["group"] != groups[task] for task, each in first.items()),
        seconds=0.0,
    )
    report.save(path)
