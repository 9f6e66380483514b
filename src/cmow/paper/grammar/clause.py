"""Who does what to whom in the main clause of a tree."""

from typing import NamedTuple

from cmow.paper.grammar.tree import Tree


class MainClause(NamedTuple):
    """The parts of a main clause, those that it has."""

    subject: Tree | None = None  # a noun phrase
    auxiliary: Tree | None = None  # what carries tense and number in place of the verb
    action: Tree | None = None  # the verb phrase that begins with the verb itself

    @property
    def verb(self) -> Tree | None:
        """The verb."""
        return self.action.children[0] if self.action else None

    @property
    def object(self) -> Tree | None:
        """The noun phrase that is the direct object."""
        return self.action.child("NP") if self.action else None


def main_clause(tree: Tree) -> MainClause:
    """The parts of the main clause; it has none if there are two, or it asks who or what."""
    action = tree.child("VP")
    if tree.label not in ("S", "SQ") or action is None:
        return MainClause()
    auxiliary = tree.children[0] if tree.label == "SQ" else None
    inner = action.child("VP")
    if inner is not None:
        auxiliary, action = action.children[0], inner
    return MainClause(tree.child("NP"), auxiliary, action)


def core_phrase(phrase: Tree | None) -> Tree | None:
    """The innermost noun phrase, which ends with the noun that the whole is about.

    None for pronouns and for coordinations.
    """
    while phrase is not None and phrase.child("NP") is not None:
        phrase = None if phrase.child("CC") else phrase.child("NP")
    return phrase if phrase is not None and phrase.children[-1].label in ("NN", "NNS") else None
