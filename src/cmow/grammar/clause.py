"""Who does what to whom in the main clause of a tree."""

from typing import NamedTuple

from cmow.grammar.tree import Tree


class MainClause(NamedTuple):
    """The parts of a main clause, those that it has."""

    subject: Tree | None  # the noun phrase
    auxiliary: Tree | None  # what carries tense and number in place of the verb
    verb: Tree | None
    object: Tree | None  # the noun phrase


def main_clause(tree: Tree) -> MainClause:
    """The parts of the main clause; all are None if there are two, or it asks who or what."""
    subject, phrase = tree.child("NP"), tree.child("VP")
    if tree.label not in ("S", "SQ") or phrase is None:
        return MainClause(None, None, None, None)
    auxiliary = tree.children[0] if tree.label == "SQ" else None
    inner = phrase.child("VP")
    if inner is not None:
        auxiliary, phrase = phrase.children[0], inner
    return MainClause(subject, auxiliary, phrase.children[0], phrase.child("NP"))


def head_noun(phrase: Tree) -> Tree | None:
    """The common noun that a noun phrase is about; None for pronouns and for coordinations."""
    if phrase.child("CC") is not None:
        return None
    inner = phrase.child("NP")
    if inner is not None:
        return head_noun(inner)
    return phrase.child("NN") or phrase.child("NNS")
