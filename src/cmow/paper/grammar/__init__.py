"""A small generated language with gold trees, for tests and for the demo."""

from cmow.paper.grammar.grammar import Grammar
from cmow.paper.grammar.sentence import Sentence
from cmow.paper.grammar.tree import Tree

__all__ = ["Grammar", "Sentence", "Tree"]
