"""Whether the machine has the memory that a run takes: what is certain of it, so rather too little.

Without this, a setting with some zeros too many has the system end other processes.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from cmow.corpus import Corpus
from cmow.encoder import PartShape
from cmow.errors import ConfigError
from cmow.training.config import TrainConfig
from cmow.training.objectives import Objective

FLOAT = 4  # bytes
COPIES = 3  # of a table: itself and two moments; one more where processes join theirs
MEMORY = Path("/proc/meminfo")
LIMITS = (  # of a container, in both versions of control groups
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)
UNITS = {"MB": 10**6, "GB": 10**9, "TB": 10**12}


class Need(NamedTuple):
    """Bytes that a run takes."""

    tables: int  # with their moments
    batch: int  # with all that is computed of it

    @classmethod
    def of(
        cls,
        config: TrainConfig,
        objective: Objective,
        corpus: Corpus,
        shapes: Sequence[PartShape],
        *,
        processes: int = 1,
    ) -> "Need":
        """What one process needs to train parts of some shapes."""
        joins = config.average_updates is not None and processes > 1
        rows = sum(shape.monoid.row_width for shape in shapes)
        views = sum(shape.monoid.view_width for shape in shapes)
        # Some tables of an objective have a row for each word, others are as they are.
        fixed, one = (
            sum(table.nbytes for table in objective.tables(shapes, count).values())
            for count in (0, 1)
        )
        own = fixed + len(corpus.vocabulary) * (one - fixed)
        words = corpus.tokens / max(len(corpus), 1)  # of a sentence
        positions = round(config.batch_sentences * words)
        windows = round(config.batch_sentences * min(config.centers, words))
        return cls(
            tables=(COPIES + joins) * (len(corpus.vocabulary) * FLOAT * rows + own),
            batch=FLOAT * (positions * rows + windows * views)
            + objective.batch_memory(config.batch_sentences, windows, views),
        )


def check_memory(need: Need, available: int | None = None) -> None:
    """Refuse what does not fit.

    :param available: bytes; those of the machine unless given
    """
    if available is None:
        available = available_memory()
    if available is None or sum(need) <= available:
        return
    lower = (
        "negatives, batch_sentences or centers"
        if need.batch > need.tables
        else "vocabulary_size, or choose a smaller shape"
    )
    raise ConfigError(
        f"this takes {_shown(sum(need))} of memory at the least (tables and their moments "
        f"{_shown(need.tables)}, a batch {_shown(need.batch)}), but there are "
        f"{_shown(available)}: lower {lower}"
    )


def available_memory() -> int | None:
    """Bytes that this process may still take, if the system tells."""
    known = [_free(), *map(_limit, LIMITS)]
    return min((size for size in known if size is not None), default=None)


def _free() -> int | None:
    try:
        found = re.findall(r"^(?:MemAvailable|SwapFree): +(\d+) kB$", MEMORY.read_text(), re.M)
    except OSError:
        return None
    return 1024 * sum(map(int, found)) if found else None


def _limit(path: Path) -> int | None:
    try:
        return int(path.read_text())
    except (OSError, ValueError):  # there is none
        return None


def _shown(size: int) -> str:
    unit = next((name for name, each in UNITS.items() if size < 1000 * each), "TB")
    return f"{size / UNITS[unit]:,.1f} {unit}"
