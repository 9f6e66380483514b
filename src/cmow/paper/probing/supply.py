"""When there are analyses enough."""

from collections import Counter
from collections.abc import Iterable

from cmow.paper.probing.analysis import Analysis
from cmow.paper.probing.settings import ProbingSettings

# So many times what a set needs: word frequencies, clause lengths and targets rule some out.
RESERVE = 2
ROLES = ("subject", "verb", "object")


class Supply:
    """Counts the sentences that could serve each task that needs analyses."""

    def __init__(self, settings: ProbingSettings) -> None:
        self.settings = settings
        self.depths: Counter[int] = Counter()
        self.tops: Counter[str] = Counter()
        self.tags: dict[str, Counter[str]] = {role: Counter() for role in ROLES}
        self.sentences = 0
        self.coordinations = 0

    def add(self, analyses: Iterable[Analysis]) -> None:
        """Count some more."""
        for analysis in analyses:
            self.sentences += 1
            self.depths[analysis.depth] += 1
            self.tops[analysis.top] += 1
            self.coordinations += analysis.clauses is not None
            for role, counts in self.tags.items():
                position: int | None = getattr(analysis, role)
                if position is not None:
                    counts[analysis.tags.split(" ")[position]] += 1

    def is_ample(self) -> bool:
        """Whether all tasks have more than they need."""
        classes = self.settings.top_sequences
        return (
            self._fills(self.depths, self.settings.depths)
            and self._fills(self.tops, classes)
            and all(self._fills(counts, 2) for counts in self.tags.values())
            and min(self.coordinations, self.sentences // 2) >= RESERVE * self.settings.total
        )

    def _fills(self, counts: Counter[int] | Counter[str], classes: int) -> bool:
        needed = RESERVE * self.settings.total // classes
        return sum(count >= needed for count in counts.values()) >= classes
