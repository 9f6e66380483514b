"""The sets that need no trees."""

from collections.abc import Sequence
from pathlib import Path

from cmow.paper.grammar import Draws
from cmow.paper.probing.build import BuiltSet, Origin, build, silent
from cmow.paper.probing.definitions import COMMON
from cmow.paper.probing.files import require_new
from cmow.paper.probing.pool import Pool, eligible
from cmow.paper.probing.settings import ProbingSettings
from cmow.progress import ProgressCallback

TASKS = ("Length", "WC", "BShift")


def build_unparsed(
    texts: Sequence[str],
    folder: str | Path,
    settings: ProbingSettings,
    *,
    source: str,
    progress: ProgressCallback = silent,
) -> list[BuiltSet]:
    """Build the sets on length, words and order of tokenized sentences; the others stay empty.

    :param source: the name of the text, for the note
    """
    require_new(Path(folder))
    shuffled = Draws(settings.seed).shuffled(list(eligible(texts)))
    origin = Origin(source, "none", {task: COMMON[task] for task in TASKS})
    return build(Pool(shuffled, []), Path(folder), settings, origin=origin, progress=progress)
