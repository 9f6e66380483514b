"""Evaluating models on tasks."""

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from cmow.choices import EvaluationClassifier
from cmow.errors import ConfigError
from cmow.evaluation.classifiers import CLASSIFIERS, Classifier
from cmow.evaluation.data import DataFolder, MissingData
from cmow.evaluation.embedding import Embedder
from cmow.evaluation.report import Report, Run
from cmow.evaluation.task import NotOffered, Task
from cmow.evaluation.tasks import GROUPS, TASKS
from cmow.evaluation.tasks.probing import is_rebuilt
from cmow.progress import Progress, ProgressCallback
from cmow.suggesting import did_you_mean

SEED = 1111


def evaluate(
    models: Any,
    *,
    data: str | Path | Sequence[str | Path],
    tasks: Iterable[str | Task[Any]] = GROUPS,
    classifier: EvaluationClassifier = "solved",
    seed: int = SEED,
    compare: str | None = None,
    progress: ProgressCallback | None = None,
) -> Report:
    """Score one or several models on tasks.

    :param models: an object with ``encode(list[str]) -> array`` or such a function, or a mapping of
        names to those.
    :param data: a folder in SentEval's layout, or several, searched in this order.
    :param tasks: names, groups (probing, supervised, unsupervised, words, movement, order), or
        tasks of one's own. A task without data is listed in the report as missing.
    :param classifier: "solved" to its optimum, or trained and stopped early as by "senteval", whose
        scores are to be compared with published ones.
    :param compare: the model that "vs." rows set beside each other one; the last if not given.
    :param progress: is told how far it has come.
    :return: all scores, to be printed, or saved as JSON, Markdown, CSV or a picture.
    """
    named = models if isinstance(models, Mapping) else {"model": models}
    if not named:
        raise ConfigError("no model to evaluate")
    compare = compare or list(named)[-1]
    if compare not in named:
        raise ConfigError(f"{compare!r} is none of the models {', '.join(named)}")
    if classifier not in CLASSIFIERS:
        raise ConfigError(f"classifier must be one of {', '.join(CLASSIFIERS)}, not {classifier!r}")
    folder = DataFolder(data)
    started = time.perf_counter()
    readings, missing = _read(select_tasks(tasks), folder)
    if folder.folders and missing and not folder.found:  # though some tasks may need no files
        (task, file), where = next(iter(missing.items())), ", ".join(map(str, folder.folders))
        raise ConfigError(f"nothing to run in {where}: {task}, for one, expects {file}")
    work = _Work(len(named), readings, progress)
    runs, left_out = {}, {}
    for name, encoder in named.items():
        runs[name], left_out[name] = _run(
            name, encoder, readings, CLASSIFIERS[classifier], seed, work
        )
    return Report(
        tasks={task.name: task.group for task, _ in readings},
        metrics={task.name: task.metric for task, _ in readings},
        runs=runs,
        missing=missing,
        left_out=left_out,
        seed=seed,
        compare=compare,
        rebuilt=any(is_rebuilt(task, folder) for task, _ in readings),
        seconds=time.perf_counter() - started,
        classifier=classifier,
    )


def select_tasks(tasks: Iterable[str | Task[Any]]) -> list[Task[Any]]:
    """The tasks of the given names and groups, each once."""
    chosen: dict[str, Task[Any]] = {}
    for task in tasks:
        if isinstance(task, Task):
            chosen[task.name] = task
        elif task in GROUPS:
            chosen.update({name: t for name, t in TASKS.items() if t.group == task})
        elif task in TASKS:
            chosen[task] = TASKS[task]
        else:
            known = ", ".join([*GROUPS, *TASKS])
            close = did_you_mean(task, [*GROUPS, *TASKS])
            raise ConfigError(f"unknown task {task!r}{close or f': use one of {known}'}")
    return list(chosen.values())


_Reading = tuple[Task[Any], Any]


def _read(tasks: Iterable[Task[Any]], data: DataFolder) -> tuple[list[_Reading], dict[str, str]]:
    """The tasks with what they read, and the file that each of the others lacks."""
    readings, missing = [], {}
    for task in tasks:
        try:
            readings.append((task, task.read(data)))
        except MissingData as absent:
            missing[task.name] = str(absent)
    return readings, missing


def _run(
    name: str,
    encoder: Any,
    readings: Sequence[_Reading],
    classifier: Classifier,
    seed: int,
    work: "_Work",
) -> tuple[dict[str, Run], dict[str, str]]:
    """Results of one model by task, and why other tasks were left out."""
    uses = Counter(text for task, material in readings for text in set(task.texts(material)))
    model = Embedder(encoder, uses, classifier)
    runs, left_out = {}, {}
    for task, material in readings:
        started = time.perf_counter()
        work.begin(f"{name}: {task.name}", task)
        model.begin(task.texts(material), work.embedded)
        try:
            result = task.score(material, model, seed=seed)
            runs[task.name] = Run(result, time.perf_counter() - started)
        except NotOffered as reason:
            left_out[task.name] = str(reason)
        model.end(task.texts(material))
        work.end()
    return runs, left_out


class _Work:
    """How much is done of embedding each task's texts and of scoring, which may take far longer."""

    def __init__(
        self,
        models: int,
        readings: Sequence[_Reading],
        progress: ProgressCallback | None,
    ) -> None:
        self.shares = {
            task.name: 1 + round(len(set(task.texts(material))) * (1 + task.effort))
            for task, material in readings
        }
        self.total = models * sum(self.shares.values())
        self.progress = progress
        self.before = self.share = self.within = 0
        self.stage = ""

    def begin(self, stage: str, task: Task[Any]) -> None:
        """A task begins."""
        self.stage, self.share, self.within = stage, self.shares[task.name], 0
        self._show()

    def embedded(self, texts: int) -> None:
        """So many more texts are embedded."""
        self.within += texts
        self._show()

    def end(self) -> None:
        """The task has ended."""
        self.before, self.within = self.before + self.share, 0
        self._show()

    def _show(self) -> None:
        if self.progress is not None:
            self.progress(Progress(self.stage, self.before + self.within, self.total))
