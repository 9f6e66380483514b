"""The ten probing tasks, rebuilt from a corpus or from the generated language."""

from cmow.probing.build import BuiltSet
from cmow.probing.from_corpus import build_from_corpus
from cmow.probing.from_grammar import GRAMMAR_SETTINGS, build_from_grammar
from cmow.probing.settings import ProbingSettings
from cmow.probing.unparsed import build_unparsed

__all__ = [
    "GRAMMAR_SETTINGS",
    "BuiltSet",
    "ProbingSettings",
    "build_from_corpus",
    "build_from_grammar",
    "build_unparsed",
]
