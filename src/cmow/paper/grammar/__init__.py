"""A small generated language with gold trees, for tests and for the demo."""

from cmow.paper.grammar.clause import core_phrase, main_clause
from cmow.paper.grammar.draws import Draws, Weighted
from cmow.paper.grammar.grammar import Grammar
from cmow.paper.grammar.sentence import Sentence
from cmow.paper.grammar.tree import Tree

__all__ = ["Draws", "Grammar", "Sentence", "Tree", "Weighted", "core_phrase", "main_clause"]
