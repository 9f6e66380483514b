"""What an evaluation found, and how it is written down."""

import csv
import io
import json
import platform
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from cmow.choices import EvaluationClassifier
from cmow.durable import write_whole
from cmow.errors import ConfigError, require
from cmow.evaluation.task import Result

PICTURES = (".png", ".svg", ".pdf")
REBUILT = " (rebuilt)"  # behind the name of a group whose sets are not the published ones
TEXTS = (".json", ".md", ".csv")


def check_output(path: Path) -> None:
    """Refuse a file that no report could be written to, before any time is spent on it."""
    if path.suffix not in PICTURES + TEXTS:
        endings = ", ".join(TEXTS + PICTURES)
        raise ConfigError(f"{path}: the ending must be one of {endings}")
    if not path.parent.is_dir():
        raise ConfigError(f"{path.parent} is not a folder")
    if path.suffix in PICTURES:
        require("matplotlib", "plot")


@dataclass(frozen=True)
class Run:
    """The result of one model on one task."""

    result: Result
    seconds: float


@dataclass(frozen=True)
class Report:
    """All results of an evaluation.

    :param tasks: the group of each task that had data.
    :param metrics: what the score of each task is.
    :param runs: by model and task.
    :param missing: the file that each task without data lacks.
    :param left_out: by model and task: why the model could not do it.
    :param classifier: what the embeddings were judged by.
    :param compare: the model that the "vs." rows set beside each other one.
    :param rebuilt: the probing sets are not the published ones.
    """

    tasks: Mapping[str, str]
    metrics: Mapping[str, str]
    runs: Mapping[str, Mapping[str, Run]]
    missing: Mapping[str, str]
    left_out: Mapping[str, Mapping[str, str]]
    seed: int
    compare: str
    rebuilt: bool
    seconds: float
    classifier: EvaluationClassifier = "solved"

    def __str__(self) -> str:
        """The tables, as they are to be read."""
        from cmow.evaluation.tables import plain

        return plain(self)

    @property
    def models(self) -> list[str]:
        """The names of the models."""
        return list(self.runs)

    @property
    def empty(self) -> bool:
        """Whether nothing ran."""
        return not any(self.runs.values())

    def group(self, name: str) -> str:
        """The group of a task, as it is to be called wherever scores are shown."""
        group = self.tasks[name]
        return group + REBUILT if group == "probing" and self.rebuilt else group

    def as_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON."""
        models = {
            model: {
                task: {
                    "group": self.group(task),
                    "metric": self.metrics[task],
                    "score": run.result.score,
                    "scores": dict(run.result.scores),
                    "details": dict(run.result.details),
                    "seconds": run.seconds,
                }
                for task, run in runs.items()
            }
            for model, runs in self.runs.items()
        }
        return {
            "models": models,
            "no data": dict(self.missing),
            "left out": {model: dict(reasons) for model, reasons in self.left_out.items()},
            "classifier": self.classifier,
            "seed": self.seed,
            "seconds": self.seconds,
            "versions": {
                "cmow": version("cmow"),
                "numpy": np.__version__,
                "python": platform.python_version(),
            },
        }

    def save(self, path: str | Path, *, with_paper: bool = False) -> None:
        """Write the report; the name's ending decides: .json, .md, .csv, .png, .svg or .pdf.

        :param with_paper: set the paper's own figures beside (not in JSON and CSV).
        """
        path = Path(path)
        check_output(path)
        if path.suffix in PICTURES:
            from cmow.evaluation.plot import save_plot

            save_plot(self, path, with_paper=with_paper)
        else:
            write_whole(path, self._text(path.suffix, with_paper))

    def _text(self, suffix: str, with_paper: bool) -> str:
        from cmow.evaluation.tables import markdown

        if suffix == ".json":
            return json.dumps(self.as_dict(), indent=2, ensure_ascii=False) + "\n"
        return self._csv() if suffix == ".csv" else markdown(self, with_paper=with_paper)

    def _csv(self) -> str:
        """A line for every number: model, group, task, what it is, the number."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["model", "group", "task", "score", "value"])
        for model, runs in self.runs.items():
            for task, run in runs.items():
                scores = {self.metrics[task]: run.result.score, **run.result.scores}
                for name, value in scores.items():
                    writer.writerow([model, self.group(task), task, name, f"{value:.4f}"])
        return text.getvalue()
