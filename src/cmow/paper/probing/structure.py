"""Candidates for the shape of the tree: depth and top constituents."""

from collections import Counter, defaultdict

from cmow.paper.probing.allocation import Candidate
from cmow.paper.probing.analysis import Analysis
from cmow.paper.probing.pool import Source

OTHER = "OTHER"
HALF_WIDTH = 12
MIDDLE = range(13, 21)
# So many times as many sentences as are taken, for lengths to be chosen from.
ROOM = 2


def tree_depth(source: Source) -> list[Candidate]:
    """Sentences of several neighboring depths, chosen so that length says little about depth."""
    pool, settings, draws = source
    if not pool.analyses:
        return []
    depths: dict[int, list[Analysis]] = defaultdict(list)
    for analysis in draws.shuffled(pool.analyses):
        depths[analysis.depth].append(analysis)
    classes = _best_classes(depths, settings.depths)
    scarcest = min(len(depths[depth]) for depth in classes)
    each = min(settings.each(settings.depths), scarcest // ROOM)
    middle = sum(_median_length(depths[depth]) for depth in classes) // len(classes)
    return [
        Candidate(str(depth), analysis.text)
        for depth in classes
        for analysis in _around(middle, depths[depth], each)
    ]


def top_constituents(source: Source) -> list[Candidate]:
    """Sentences labeled with one of the most frequent sequences, or as none of them."""
    plain = [analysis for analysis in source.pool.analyses if _is_plain(analysis.top)]
    ranked = Counter(analysis.top for analysis in plain).most_common()
    ranked.sort(key=lambda entry: (-entry[1], entry[0]))
    named = {sequence for sequence, _ in ranked[: source.settings.top_sequences - 1]}
    return [
        Candidate(analysis.top if analysis.top in named else OTHER, analysis.text)
        for analysis in plain
    ]


def _is_plain(sequence: str) -> bool:
    """Whether a sequence ends with a mark and has no other one."""
    *labels, mark = sequence.split("_")
    return mark == "." and all(label.strip("$").isalpha() for label in labels)


def _best_classes(depths: dict[int, list[Analysis]], count: int) -> list[int]:
    """So many neighboring depths, of which the scarcest is least scarce at middle length."""
    supply = {
        depth: sum(_length(analysis) in MIDDLE for analysis in found)
        for depth, found in depths.items()
    }
    possible = sorted(depth for depth in supply if supply[depth]) or sorted(supply)
    windows = [possible[start : start + count] for start in range(len(possible))]
    widest = max(len(window) for window in windows)
    return max(
        (window for window in windows if len(window) == widest),
        key=lambda window: min(supply[depth] for depth in window),
    )


def _length(analysis: Analysis) -> int:
    return analysis.text.count(" ") + 1


def _median_length(analyses: list[Analysis]) -> int:
    lengths = sorted(map(_length, analyses))
    return lengths[len(lengths) // 2]


def _around(middle: int, analyses: list[Analysis], count: int) -> list[Analysis]:
    """So many sentences whose lengths are spread around the middle, as far as there are any.

    Each length is asked for in proportion to its nearness, again and again, until all are found.
    """
    lengths: dict[int, list[Analysis]] = defaultdict(list)
    for analysis in analyses:
        lengths[_length(analysis)].append(analysis)
    chosen: list[Analysis] = []
    while len(chosen) < count:
        missing = count - len(chosen)
        nearness = {n: max(1, HALF_WIDTH - abs(n - middle)) for n in lengths if lengths[n]}
        total = sum(nearness.values())
        for length in sorted(nearness):
            wanted = min(-(-missing * nearness[length] // total), count - len(chosen))
            chosen += lengths[length][:wanted]
            del lengths[length][:wanted]
    return chosen
