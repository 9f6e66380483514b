"""The ten sets of a pool of sentences, written into a folder."""

from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path

from cmow.errors import FormatError
from cmow.paper.probing.allocation import Splits
from cmow.paper.probing.files import new_folder, write_note, write_splits
from cmow.paper.probing.pool import Pool
from cmow.paper.probing.settings import SPLITS, ProbingSettings
from cmow.paper.probing.tasks import TASKS, Task, choose
from cmow.progress import Progress, ProgressCallback


def silent(progress: Progress) -> None:
    """Tell nobody."""


@dataclass(frozen=True)
class BuiltSet:
    """What became of a task."""

    task: str
    file: str
    train: int
    valid: int
    test: int
    classes: int
    complete: bool  # whether it has as many sentences as were asked for


@dataclass(frozen=True)
class Origin:
    """Where the sentences of a folder come from."""

    source: str
    trees: str
    definitions: dict[str, str]


def build(
    pool: Pool,
    folder: Path,
    settings: ProbingSettings,
    *,
    origin: Origin,
    progress: ProgressCallback = silent,
) -> list[BuiltSet]:
    """Write the ten sets and a note on how they were made; all of it or nothing."""
    built = []
    with new_folder(folder) as draft:
        for number, task in enumerate(TASKS):
            progress(Progress(f"choosing {task.name}", number, len(TASKS)))
            splits = choose(task, pool, settings)
            built.append(_summary(task, splits, settings))
            if built[-1].train:
                write_splits(draft / task.file, splits)
        if not any(made.train for made in built):
            raise FormatError(
                f"{origin.source}: {len(pool.texts):,} usable sentences are too few for any task"
            )
        write_note(
            draft,
            {
                **asdict(origin),
                "sentences": {"used": len(pool.texts), "analysed": len(pool.analyses)},
                "settings": asdict(settings),
                "sets": [asdict(made) for made in built],
                "versions": {"cmow": version("cmow")},
            },
        )
    return built


def _summary(task: Task, splits: Splits, settings: ProbingSettings) -> BuiltSet:
    train, valid, test = (len(splits[split]) for split in SPLITS)
    return BuiltSet(
        task.name,
        task.file,
        train,
        valid,
        test,
        classes=len({candidate.label for candidate in splits["tr"]}),
        complete=train + valid + test == settings.total,
    )
