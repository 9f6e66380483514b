"""The ten tasks."""

from collections.abc import Callable
from typing import NamedTuple

from cmow.paper.grammar import Draws
from cmow.paper.probing.allocation import Candidate, Splits, allocate
from cmow.paper.probing.inflected import object_number, subject_number, tense
from cmow.paper.probing.odd import odd_man_out
from cmow.paper.probing.order import bigram_shift, coordination_inversion
from cmow.paper.probing.pool import Pool, Source
from cmow.paper.probing.settings import ProbingSettings
from cmow.paper.probing.structure import top_constituents, tree_depth
from cmow.paper.probing.surface import sentence_length, word_content


class Task(NamedTuple):
    """A task, SentEval's file for it, and where its sentences come from."""

    name: str
    file: str
    candidates: Callable[[Source], list[Candidate]]


TASKS = (
    Task("Depth", "tree_depth.txt", tree_depth),
    Task("BShift", "bigram_shift.txt", bigram_shift),
    Task("SubjNum", "subj_number.txt", subject_number),
    Task("Tense", "past_present.txt", tense),
    Task("CoordInv", "coordination_inversion.txt", coordination_inversion),
    Task("Length", "sentence_length.txt", sentence_length),
    Task("ObjNum", "obj_number.txt", object_number),
    Task("TopConst", "top_constituents.txt", top_constituents),
    Task("SOMO", "odd_man_out.txt", odd_man_out),
    Task("WC", "word_content.txt", word_content),
)


def choose(task: Task, pool: Pool, settings: ProbingSettings) -> Splits:
    """The splits of one task; all are empty unless each has every label."""
    draws = Draws(settings.seed, TASKS.index(task))
    splits = allocate(task.candidates(Source(pool, settings, draws)), settings.sizes, draws)
    return splits if all(splits.values()) else {split: [] for split in splits}
