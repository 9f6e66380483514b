"""A dependency tree."""

from collections.abc import Sequence
from functools import cached_property

SUBJECTS = frozenset({"nsubj", "nsubjpass", "expl", "csubj", "csubjpass"})
AUXILIARIES = frozenset({"aux", "auxpass"})


class Parse:
    """The words of a sentence and how they hang together, in spaCy's English labels.

    :param heads: the position of each word's head; a root is its own
    """

    def __init__(
        self,
        words: Sequence[str],
        *,
        tags: Sequence[str],
        relations: Sequence[str],
        heads: Sequence[int],
    ) -> None:
        self.words = words
        self.tags = tags
        self.relations = relations
        self.heads = heads

    @cached_property
    def root(self) -> int | None:
        """The root, if there is only one."""
        roots = [position for position, head in enumerate(self.heads) if position == head]
        return roots[0] if len(roots) == 1 else None

    @cached_property
    def _children(self) -> list[list[int]]:
        children: list[list[int]] = [[] for _ in self.heads]
        for position, head in enumerate(self.heads):
            if position != head:
                children[head].append(position)
        return children

    def children(self, position: int, *relations: str) -> list[int]:
        """The dependents of a word, from left to right, perhaps only those of some relations."""
        found = self._children[position]
        return [c for c in found if self.relations[c] in relations] if relations else found

    def has_subject(self, position: int) -> bool:
        """Whether a word is the head of a clause with a subject of its own."""
        return bool(self.children(position, *SUBJECTS))

    def phrase(self, position: int) -> list[int]:
        """A word and all that hangs on it, from left to right."""
        phrase = [position]
        for member in phrase:
            phrase.extend(self._children[member])
        return sorted(phrase)

    def depth(self) -> int:
        """The number of arcs from the root to the word farthest from it."""
        return max(self._distance(position) for position in range(len(self.words)))

    def _distance(self, position: int) -> int:
        distance = 0
        while self.heads[position] != position:
            position = self.heads[position]
            distance += 1
        return distance
