"""Evaluating sentence encoders: any object with ``encode(list[str]) -> array``."""

from cmow.evaluation.data import DataFolder
from cmow.evaluation.report import Report
from cmow.evaluation.run import evaluate
from cmow.evaluation.task import Model, Result, Task
from cmow.evaluation.tasks import GROUPS, TASKS

__all__ = [
    "GROUPS",
    "TASKS",
    "DataFolder",
    "Model",
    "Report",
    "Result",
    "Task",
    "evaluate",
]
