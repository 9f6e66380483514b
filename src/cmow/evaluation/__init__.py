"""Evaluating sentence encoders: any object with ``encode(list[str]) -> array``."""

from cmow.evaluation.data import DataFolder, MissingData
from cmow.evaluation.normalized import Normalized
from cmow.evaluation.paper import PAPER, PAPER_CORPUS, paper_tasks, published
from cmow.evaluation.reordering import exchange_arguments, reverse, swap_neighbors
from cmow.evaluation.reordering import swap_neighbours as swap_neighbours
from cmow.evaluation.report import REBUILT, Report, Run, check_output
from cmow.evaluation.run import evaluate, select_tasks
from cmow.evaluation.tables import (
    Scores,
    Table,
    grid,
    markdown,
    notes_of,
    relative_changes,
    scores_of,
    tables_of,
)
from cmow.evaluation.task import Model, Result, Task
from cmow.evaluation.tasks import GROUPS, TASKS
from cmow.evaluation.tasks.order import Order, distances, unit
from cmow.evaluation.triples import KINDS, Triple, triples, write_benchmark

__all__ = [
    "GROUPS",
    "KINDS",
    "PAPER",
    "PAPER_CORPUS",
    "REBUILT",
    "TASKS",
    "DataFolder",
    "MissingData",
    "Model",
    "Normalized",
    "Order",
    "Report",
    "Result",
    "Run",
    "Scores",
    "Table",
    "Task",
    "Triple",
    "check_output",
    "distances",
    "evaluate",
    "exchange_arguments",
    "grid",
    "markdown",
    "notes_of",
    "paper_tasks",
    "published",
    "relative_changes",
    "reverse",
    "scores_of",
    "select_tasks",
    "swap_neighbors",
    "tables_of",
    "triples",
    "unit",
    "write_benchmark",
]
