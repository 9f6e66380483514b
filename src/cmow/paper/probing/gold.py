"""Analyses by gold trees."""

from cmow.paper.grammar import Sentence, Tree, core_phrase, main_clause
from cmow.paper.probing.analysis import Analysis

FINITE = ("VBD", "VBZ", "VBP")


def analyse_tree(sentence: Sentence) -> Analysis:
    """What the gold tree of a sentence says."""
    tree = sentence.tree
    walk = _Walk(tree)
    clause = main_clause(tree)
    finite = clause.verb is not None and clause.verb.label in FINITE
    return Analysis(
        text=" ".join(walk.words),
        tags=" ".join(walk.tags),
        depth=walk.depth,
        top="_".join(child.label for child in tree.children),
        subject=walk.noun(clause.subject),
        verb=walk.start(clause.action) if clause.action and finite else None,
        object=walk.noun(clause.object),
        clauses=walk.clauses(tree),
    )


class _Walk:
    """All that one walk through a tree finds."""

    def __init__(self, tree: Tree) -> None:
        self.words: list[str] = []
        self.tags: list[str] = []
        self.depth = 0
        self._starts: dict[int, int] = {}  # phrases are told apart by identity
        waiting = [(tree, 1)]
        while waiting:
            node, level = waiting.pop()
            if node.word:
                self.words.append(node.word)
                self.tags.append(node.label)
                self.depth = max(self.depth, level)
            else:
                self._starts[id(node)] = len(self.words)
                waiting.extend((child, level + 1) for child in reversed(node.children))

    def start(self, phrase: Tree) -> int:
        """The position of a phrase's first word."""
        return self._starts[id(phrase)]

    def noun(self, phrase: Tree | None) -> int | None:
        """The position of the common noun that a phrase is about."""
        inner = core_phrase(phrase)
        return self.start(inner) + len(inner.children) - 1 if inner else None

    def clauses(self, tree: Tree) -> tuple[int, int] | None:
        """Where the first of two main clauses ends and the second begins, without other links."""
        clauses = [child for child in tree.children if child.label == "S"]
        if len(clauses) != 2 or self.tags.count("CC") != 1:
            return None
        return len(clauses[0].leaves()), self.start(clauses[1])
