"""A small generated language with gold trees, for tests and for the demo."""

from cmow.grammar.grammar import Grammar
from cmow.grammar.sentence import Sentence
from cmow.grammar.tree import Tree

__all__ = ["Grammar", "Sentence", "Tree"]
