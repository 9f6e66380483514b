"""Balanced splits of candidate sentences."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from cmow.paper.grammar import Draws, Weighted
from cmow.paper.probing.settings import SPLITS

# A word may fill this part of a class of a small split at most; more frequent ones are trained on.
SHARE = 10
ALWAYS_FINE = 3


class Candidate(NamedTuple):
    """A labeled sentence; one with a target is kept from the splits that the target is not in."""

    label: str
    text: str
    target: str = ""


Splits = dict[str, list[Candidate]]
Needs = dict[str, dict[str, int]]  # by split and label


def allocate(candidates: Sequence[Candidate], sizes: Mapping[str, int], draws: Draws) -> Splits:
    """Splits with as many sentences of each label, and no target in two of them.

    Where there are too few, all splits shrink alike; labels differ by one sentence at most.
    """
    supply = Counter(candidate.label for candidate in candidates)
    if len(supply) < 2:
        return {split: [] for split in SPLITS}
    needs = _needs(sorted(supply), sizes, supply)
    home = _homes(candidates, needs, draws)
    splits: Splits = {split: [] for split in SPLITS}
    for candidate in draws.shuffled(candidates):
        for split in (home[candidate.target],) if candidate.target else SPLITS:
            if needs[split][candidate.label]:
                needs[split][candidate.label] -= 1
                splits[split].append(candidate)
                break
    return {split: draws.shuffled(_level(chosen, len(supply))) for split, chosen in splits.items()}


def _needs(labels: list[str], sizes: Mapping[str, int], supply: Counter[str]) -> Needs:
    """How many sentences of each label to put into each split."""
    total, scarcest = sum(sizes.values()), min(supply.values())
    fitting = dict(sizes)
    if scarcest * len(labels) < total:
        fitting = {split: size * scarcest // total * len(labels) for split, size in sizes.items()}
    return {
        split: {
            label: size // len(labels) + (place < size % len(labels))
            for place, label in enumerate(labels)
        }
        for split, size in fitting.items()
    }


def _homes(candidates: Iterable[Candidate], needs: Needs, draws: Draws) -> dict[str, str]:
    """The split that each target belongs to; frequent targets choose first, rare ones fill up."""
    occurrences: dict[str, Counter[str]] = defaultdict(Counter)
    for candidate in candidates:
        if candidate.target:
            occurrences[candidate.target][candidate.label] += 1
    open_needs = {split: dict(labels) for split, labels in needs.items()}
    homes = {}
    for target in sorted(occurrences, key=lambda word: (-occurrences[word].total(), word)):
        counts = occurrences[target]
        weights = [
            sum(open_needs[split][label] for label in counts)
            if split == "tr" or _fits(counts, needs[split])
            else 0
            for split in SPLITS
        ]
        home = Weighted(SPLITS, weights).draw(draws) if any(weights) else "tr"
        homes[target] = home
        for label, count in counts.items():
            open_needs[home][label] = max(0, open_needs[home][label] - count)
    return homes


def _fits(counts: Counter[str], needs: Mapping[str, int]) -> bool:
    return all(count <= max(ALWAYS_FINE, needs[label] // SHARE) for label, count in counts.items())


def _level(chosen: list[Candidate], labels: int) -> list[Candidate]:
    """As many sentences of each label as of the scarcest, or one more."""
    counts = Counter(candidate.label for candidate in chosen)
    limit = min(counts.values()) + 1 if len(counts) == labels else 0
    kept: Counter[str] = Counter()
    level = []
    for candidate in chosen:
        if kept[candidate.label] < limit:
            kept[candidate.label] += 1
            level.append(candidate)
    return level
