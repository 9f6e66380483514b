"""Scores of encoders, kept on disk task by task, so that an interruption costs one task at most."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cmow.choices import EvaluationClassifier
from cmow.durable import write_json
from cmow.encoder import Encoder
from cmow.errors import ConfigError
from cmow.evaluation import REBUILT, TASKS, DataFolder, MissingData, evaluate
from cmow.paper.reproduction.kept import read_kept
from cmow.paper.reproduction.tables import GROUPS, SENTEVAL
from cmow.progress import Progress, ProgressCallback


@dataclass(frozen=True)
class Scoring:
    """The scores of all encoders.

    :param folder: of the files with scores
    :param data: folders in SentEval's layout
    :param like_with_like: score by SentEval's classifier too, where published scores are by it
    """

    folder: Path
    data: Sequence[Path]
    tell: ProgressCallback
    like_with_like: bool = False

    def scores(
        self, title: str, load: Callable[[], Encoder], trained: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Everything known of an encoder, by task.

        :param load: gives the encoder, if there is something left to score
        :param trained: what the encoder's models say of their training; other scores are stale
        """
        path = self.folder / f"{slug(title)}.json"
        known = self._read(path, trained)
        load = cache(load)
        for task in _with_data((task for task in _tasks() if task not in known), self.data):
            known[task] = self._evaluate(title, load(), task, "solved")
            self._write(path, trained, known)
        for task in self._unlike(known):
            known[task][SENTEVAL] = self._evaluate(title, load(), task, SENTEVAL)
            self._write(path, trained, known)
        return known

    def _unlike(self, known: Mapping[str, Any]) -> list[str]:
        """The tasks that are to be scored by SentEval's classifier, and were not."""
        tasks = (
            task
            for task, found in known.items()
            if TASKS[task].classified and not found["group"].endswith(REBUILT)
        )
        wanted = (task for task in tasks if self.like_with_like and SENTEVAL not in known[task])
        return list(_with_data(wanted, self.data))

    def _evaluate(
        self, title: str, encoder: Encoder, task: str, classifier: EvaluationClassifier
    ) -> dict[str, Any]:
        def show(progress: Progress) -> None:
            self.tell(progress._replace(stage=f"scoring {title}: {task}"))

        report = evaluate(
            encoder, data=self.data, tasks=[task], classifier=classifier, progress=show
        )
        found: dict[str, Any] = report.as_dict()["models"]["model"][task]
        return found

    @staticmethod
    def _read(path: Path, trained: Mapping[str, Any]) -> dict[str, Any]:
        if not path.is_file():
            return {}
        page = read_kept(path, "trained", "tasks")
        return dict(page["tasks"]) if page["trained"] == trained else {}

    @staticmethod
    def _write(path: Path, trained: Mapping[str, Any], tasks: Mapping[str, Any]) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, {"trained": trained, "tasks": tasks})


def check_data(data: Sequence[Path]) -> None:
    """Refuse folders that hold nothing to score by."""
    if not data:
        raise ConfigError("scores need a folder in SentEval's layout: name it with --data")
    if not list(_with_data(_tasks(), data)):  # all of them, so that a faulty file is found now
        folders = ", ".join(map(str, data))
        raise ConfigError(
            f"{folders}: no task has its data here; name folders in SentEval's layout"
        )


def _tasks() -> Iterator[str]:
    return (name for name, task in TASKS.items() if task.group in GROUPS)


def _with_data(tasks: Iterable[str], data: Sequence[Path]) -> Iterator[str]:
    folders = tuple(data)
    return (task for task in tasks if _has_data(task, folders))


@cache  # as it takes seconds to read a large set
def _has_data(task: str, folders: tuple[Path, ...]) -> bool:
    try:
        TASKS[task].read(DataFolder(folders))
    except MissingData:
        return False
    return True


def slug(title: str) -> str:
    """A title as the name of a file; a part of a model stands behind a point."""
    return re.sub(r"[^a-z0-9.]+", "-", title.lower().replace(":", ".")).strip("-")
