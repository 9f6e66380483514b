"""A sentence of the language."""

from typing import NamedTuple

from cmow.paper.grammar.clause import core_phrase, main_clause
from cmow.paper.grammar.lexicon import reversible_verbs
from cmow.paper.grammar.tree import Tree


class Sentence(NamedTuple):
    """A sentence with its gold tree."""

    tree: Tree

    @property
    def words(self) -> list[str]:
        """The tokens, punctuation included."""
        return [leaf.word for leaf in self.tree.leaves()]

    @property
    def text(self) -> str:
        """The tokens with blanks between them."""
        return " ".join(self.words)

    def bracketed(self) -> str:
        """The tree in the notation of treebanks."""
        return self.tree.bracketed()

    def swap_arguments(self) -> "Sentence | None":
        """The sentence with subject and object exchanged: the same words, the opposite meaning.

        None unless the verb is one that both can do to each other and agrees with both.
        """
        clause = main_clause(self.tree)
        subject, verb, target = clause.subject, clause.verb, clause.object
        if subject is None or verb is None or target is None:
            return None
        numbers = [_number(phrase) for phrase in (subject, target)]
        if verb.word not in reversible_verbs() or None in numbers:
            return None
        finite = clause.auxiliary or verb
        if finite.label in ("VBZ", "VBP") and numbers[0] != numbers[1]:
            return None
        return Sentence(_exchange(self.tree, subject, target))


def _number(phrase: Tree) -> str | None:
    if phrase.child("CC") is not None:
        return "NNS"
    inner = core_phrase(phrase)
    return inner.children[-1].label if inner else None


def _exchange(tree: Tree, one: Tree, other: Tree) -> Tree:
    """The tree with two of its noun phrases in each other's place."""
    if tree is one:
        return other
    if tree is other:
        return one
    return tree._replace(children=tuple(_exchange(child, one, other) for child in tree.children))
