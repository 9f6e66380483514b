"""A benchmark of word order: which of two sentences of the same words means the same as a third."""

from cmow.evaluation.triples.card import write_benchmark
from cmow.evaluation.triples.kinds import KINDS
from cmow.evaluation.triples.making import Triple, triples

__all__ = ["KINDS", "Triple", "triples", "write_benchmark"]
