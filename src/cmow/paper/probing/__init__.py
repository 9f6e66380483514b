"""The ten probing tasks, rebuilt from a corpus or from the generated language."""

from cmow.paper.probing.build import BuiltSet
from cmow.paper.probing.from_corpus import build_from_corpus
from cmow.paper.probing.from_grammar import GRAMMAR_SETTINGS, build_from_grammar
from cmow.paper.probing.pipeline import PIPELINE
from cmow.paper.probing.pool import LONGEST, SHORTEST, eligible
from cmow.paper.probing.settings import ProbingSettings
from cmow.paper.probing.unparsed import build_unparsed

__all__ = [
    "GRAMMAR_SETTINGS",
    "LONGEST",
    "PIPELINE",
    "SHORTEST",
    "BuiltSet",
    "ProbingSettings",
    "build_from_corpus",
    "build_from_grammar",
    "build_unparsed",
    "eligible",
]
