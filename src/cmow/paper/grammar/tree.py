"""Constituency trees."""

from typing import NamedTuple


class Tree(NamedTuple):
    """A constituent: a phrase with children, or a part of speech with its word."""

    label: str
    children: "tuple[Tree, ...]" = ()
    word: str = ""

    def leaves(self) -> "list[Tree]":
        """The parts of speech, from left to right."""
        leaves: list[Tree] = []
        waiting = [self]
        while waiting:
            node = waiting.pop()
            if node.word:
                leaves.append(node)
            waiting.extend(reversed(node.children))
        return leaves

    def depth(self) -> int:
        """The number of branches from here to the farthest word."""
        return 1 + max((child.depth() for child in self.children), default=0)

    def child(self, label: str) -> "Tree | None":
        """The first child with the label."""
        return next((child for child in self.children if child.label == label), None)

    def bracketed(self) -> str:
        """The tree in the notation of treebanks: (NP (DT the) (NN dog))."""
        inside = self.word or " ".join(child.bracketed() for child in self.children)
        return f"({self.label} {inside})"
