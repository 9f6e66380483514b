"""The paper's tables: a row a model, a column a task, and "vs." rows of relative changes."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from cmow.evaluation.paper import PAPER, PAPER_CORPUS, paper_tasks
from cmow.evaluation.report import Report
from cmow.pluralize import pluralize

Scores = Mapping[str, float]


class Table(NamedTuple):
    """A table of texts; the first row is the head."""

    title: str
    rows: list[list[str]]


def tables_of(report: Report, *, with_paper: bool = False) -> list[Table]:
    """A table for each group of tasks, one for the other metrics, one that sums up."""
    groups = list(dict.fromkeys(report.tasks.values()))
    made = []
    for group in groups:
        made.append(_scores(report, group, with_paper))
        made.append(_further_scores(report, group))
    made.append(_summary(report))
    return [table for table in made if len(table.rows) > 1 and len(table.rows[0]) > 1]


def markdown(report: Report, *, with_paper: bool = False) -> str:
    """All tables and notes as Markdown."""
    lines = []
    for table in tables_of(report, with_paper=with_paper):
        lines += [f"## {table.title}", "", grid(table.rows), ""]
    lines += [f"- {note}" for note in notes_of(report)]
    return "\n".join(lines) + "\n"


def plain(report: Report) -> str:
    """All tables and notes for people: columns below each other, whatever the width."""
    lines = []
    for table in tables_of(report):
        widths = [max(map(len, column)) for column in zip(*table.rows, strict=True)]
        lines += [table.title, *(_aligned(row, widths) for row in table.rows), ""]
    return "\n".join([*lines, *notes_of(report)]).rstrip("\n")


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    """A row whose first column is text, and the others numbers."""
    cells = [row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]
    return "  ".join(cells).rstrip()


def grid(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a Markdown table: the first is the head, and numbers are in all columns but one."""
    head, *others = rows
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *others]
    return "\n".join(f"| {' | '.join(map(_cell, line))} |" for line in lines)


def _cell(text: str) -> str:
    return text.replace("|", r"\|")  # which would end the cell


def notes_of(report: Report) -> list[str]:
    """What did not run, and why."""
    lines = [f"{task}: no data: expected {file}" for task, file in report.missing.items()]
    for model, reasons in report.left_out.items():
        lines += [f"{task}: left out for {model}: {reason}" for task, reason in reasons.items()]
    if report.classifier == "senteval":
        lines.append("classifier: SentEval's own, trained by Adam and stopped early")
    if report.rebuilt and "probing" in report.tasks.values():
        lines.append("probing: rebuilt sets, not to be compared with published figures")
    return lines


def changes(report: Report, other: str, tasks: Iterable[str]) -> dict[str, float]:
    """The relative change from another model to the compared one, in percent, by task."""
    return relative_changes(scores_of(report, other), scores_of(report, report.compare), tasks)


def relative_changes(of: Scores, to: Scores, tasks: Iterable[str]) -> dict[str, float]:
    """The change in percent by task; a correlation of nothing or less has none."""
    return {
        task: 100 * (to[task] - of[task]) / of[task]
        for task in tasks
        if task in to and of.get(task, 0) > 0
    }


def scores_of(report: Report, model: str) -> dict[str, float]:
    """The scores of a model by task."""
    return {task: run.result.score for task, run in report.runs[model].items()}


def averaged(report: Report, group: str) -> list[str]:
    """The tasks that a group's averages are over: in the paper's groups, those of the paper."""
    tasks = [task for task, its_group in report.tasks.items() if its_group == group]
    return [task for task in tasks if task in paper_tasks(group)] or tasks


def paper_rows(report: Report, group: str) -> dict[str, Scores]:
    """The paper's scores by model, unless the tasks are not the paper's."""
    if group == "probing" and report.rebuilt:
        return {}
    return {f"paper: {model} ({PAPER_CORPUS})": row for model, row in PAPER.get(group, {}).items()}


def _scores(report: Report, group: str, with_paper: bool) -> Table:
    tasks = [task for task, its_group in report.tasks.items() if its_group == group]
    mean_of = averaged(report, group)
    rows = [["model", *tasks, "mean"]]
    scores: dict[str, Scores] = {model: scores_of(report, model) for model in report.models}
    shown = {**(paper_rows(report, group) if with_paper else {}), **scores}
    for model, by_task in shown.items():
        if any(task in by_task for task in tasks):
            rows.append([model, *_numbers(by_task, tasks), _mean(by_task, mean_of, "{:.1f}")])
    for other in report.models:
        relative = changes(report, other, tasks)
        if other != report.compare and relative:
            cells = [f"{relative[task]:+.1f}%" if task in relative else "–" for task in tasks]
            rows.append([f"vs. {other}", *cells, _mean(relative, mean_of, "{:+.1f}%")])
    return Table(_title(report, group, tasks), rows)


def _title(report: Report, group: str, tasks: list[str]) -> str:
    metrics = list(dict.fromkeys(report.metrics[task] for task in tasks))
    title = f"{report.group(tasks[0])}: {', '.join(metrics)}"
    if mean_of := averaged(report, group):
        title += f"; mean of {pluralize(len(mean_of), 'task')}"
    if len(report.models) > 1:
        title += f"; vs.: relative change to {report.compare}"
    return title


def _further_scores(report: Report, group: str) -> Table:
    """The scores by other metrics and protocols than that of the main table."""
    tasks = [task for task, its_group in report.tasks.items() if its_group == group]
    rows = [["model", "score", *tasks]]
    for model, runs in report.runs.items():
        further = {task: runs[task].result.scores for task in tasks if task in runs}
        for name in dict.fromkeys(name for scores in further.values() for name in scores):
            by_task = {task: scores[name] for task, scores in further.items() if name in scores}
            rows.append([model, name, *_numbers(by_task, tasks)])
    return Table(f"{report.group(tasks[0])}: all scores", rows)


def _summary(report: Report) -> Table:
    """Relative changes, averaged over the tasks of each table of the paper and over both kinds."""
    present = [group for group in PAPER if group in report.tasks.values()]
    tasks = {group: averaged(report, group) for group in present}
    if {"supervised", "unsupervised"} <= set(present):
        tasks["downstream"] = tasks["supervised"] + tasks["unsupervised"]
    rows = [["model", *tasks]]
    for other in report.models:
        if other != report.compare:
            relative = [changes(report, other, names) for names in tasks.values()]
            rows.append([f"vs. {other}", *(_mean(r, r, "{:+.1f}%") for r in relative)])
    return Table(f"mean relative change to {report.compare}", rows)


def _numbers(scores: Scores, tasks: list[str]) -> list[str]:
    return [f"{scores[task]:.1f}" if task in scores else "–" for task in tasks]


def _mean(scores: Scores, tasks: Iterable[str], form: str) -> str:
    present = [scores[task] for task in tasks if task in scores]
    return form.format(fmean(present)) if present else "–"
