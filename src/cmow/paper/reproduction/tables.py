"""Our scores, the paper's and the difference, one below the other."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import isnan, nan
from statistics import fmean
from typing import Any

from cmow.choices import EvaluationClassifier
from cmow.evaluation import PAPER, TASKS, Scores, grid, paper_tasks, published, relative_changes
from cmow.paper.reproduction.experiment import Experiment, Row
from cmow.paper.reproduction.retrained import CORRELATIONS, NOTE, retrained

OfSeeds = Sequence[Mapping[str, Any]]  # for each seed what is known of a row, by task
GROUPS = tuple(PAPER)
SENTEVAL: EvaluationClassifier = "senteval"  # the score by that classifier, beside the one by ours
REBUILT = "The sets are rebuilt: the paper's figures are there for the pattern, not for the level."


def score_tables(experiment: Experiment, found: Mapping[str, OfSeeds]) -> list[str]:
    """A table in Markdown for each group of tasks."""
    return [
        text for group in GROUPS if (text := _table(experiment, found, group, _tasks(found, group)))
    ]


def means(of_seeds: OfSeeds) -> dict[str, float]:
    """The mean over seeds by task."""
    tasks = [task for task in of_seeds[0] if all(task in scores for scores in of_seeds)]
    return {task: fmean(scores[task]["score"] for scores in of_seeds) for task in tasks}


def means_by_senteval(of_seeds: OfSeeds, tasks: Sequence[str]) -> dict[str, float]:
    """The same with SentEval's classifier, if all of the tasks that have one were scored by it."""
    classified = [task for task in tasks if TASKS[task].classified]
    scored = all(SENTEVAL in scores[task] for scores in of_seeds for task in classified)
    if not classified or not scored:
        return {}
    return means([{task: s[task].get(SENTEVAL, s[task]) for task in tasks} for s in of_seeds])


def change(of: Scores, to: Scores, tasks: Iterable[str]) -> float:
    """The mean relative change from one row to another, in percent, as the paper averages it.

    It is not a number if no score is above nothing.
    """
    changes = relative_changes(of, to, tasks)
    return fmean(changes.values()) if changes else nan


def _tasks(found: Mapping[str, OfSeeds], group: str) -> list[str]:
    """The tasks of the paper's table that all rows have scores of."""
    wanted = paper_tasks(group)
    return [task for task in wanted if all(task in means(row) for row in found.values())]


def _table(
    experiment: Experiment, found: Mapping[str, OfSeeds], group: str, tasks: list[str]
) -> str:
    if not tasks:
        return ""
    names = {s[task]["group"] for of_seeds in found.values() for s in of_seeds for task in tasks}
    name = next(iter(names - {group}), group)  # probing sets that were rebuilt are called so
    comparable = name == group
    lines = []
    for row in experiment.rows:
        lines += _row(row, found[row.name], tasks, comparable)
    compared = next((row for row in experiment.rows if row.name == experiment.compare), None)
    if compared is not None:
        lines += _changes(experiment, compared, found, tasks)
    beside_the_paper = any(published(row.paper) for row in experiment.rows)
    notes = [REBUILT] if beside_the_paper and not comparable else []
    if any(retrained(row.paper) for row in experiment.rows) and set(CORRELATIONS) & set(tasks):
        notes.append(NOTE)
    stopped = [
        f"{row} on {task}"
        for row, of_seeds in found.items()
        for task in tasks
        if any(scores[task]["details"].get("converged") is False for scores in of_seeds)
    ]
    if stopped:
        notes.append(f"Stopped before the classifiers had converged: {', '.join(stopped)}.")
    return "\n\n".join([f"**{name}**", grid([["", *tasks, "mean"], *lines]), *notes])


def _row(row: Row, of_seeds: OfSeeds, tasks: list[str], comparable: bool) -> list[list[str]]:
    ours, paper = means(of_seeds), published(row.paper)
    lines = [[f"**{row.name}**", *_cells(ours, tasks, "{:.1f}".format)]]
    if len(of_seeds) > 1:
        spread = {
            task: max(s[task]["score"] for s in of_seeds) - min(s[task]["score"] for s in of_seeds)
            for task in tasks
        }
        lines.append([f"spread of {len(of_seeds)} seeds", *_cells(spread, tasks, "{:.1f}".format)])
    alike = means_by_senteval(of_seeds, tasks)
    if alike:
        lines.append(["SentEval's classifier", *_cells(alike, tasks, "{:.1f}".format)])
    if all(task in paper for task in tasks):
        lines.append(["paper", *_cells(paper, tasks, "{:.1f}".format)])
        if comparable:
            difference = {task: (alike or ours)[task] - paper[task] for task in tasks}
            label = "difference, like with like" if alike else "difference"
            lines.append([label, *_cells(difference, tasks, "{:+.1f}".format)])
    if again := retrained(row.paper):
        lines.append(["authors, retrained", *_cells(again, tasks, "{:.1f}".format)])
    return lines


def _changes(
    experiment: Experiment, compared: Row, found: Mapping[str, OfSeeds], tasks: list[str]
) -> list[list[str]]:
    """The relative changes from each row to the compared one, ours and the paper's."""
    lines = []
    for row in experiment.rows:
        if row.name == compared.name:
            continue
        pairs = {
            f"vs. {row.name}": (means(found[row.name]), means(found[compared.name])),
            "the same in the paper": (published(row.paper), published(compared.paper)),
        }
        for label, (of, to) in pairs.items():
            if all(task in of and task in to for task in tasks):
                changes = [*(change(of, to, [task]) for task in tasks), change(of, to, tasks)]
                lines.append([label, *("–" if isnan(c) else f"{c:+.1f}%" for c in changes)])
    return lines


def _cells(scores: Scores, tasks: list[str], form: Callable[[float], str]) -> list[str]:
    """The scores and, last, their mean."""
    return [form(scores[task]) for task in tasks] + [form(fmean(scores[task] for task in tasks))]
