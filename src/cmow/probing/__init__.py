"""The ten probing tasks, rebuilt from a corpus or from the generated language."""

from typing import TYPE_CHECKING

from cmow.lazy import on_demand
from cmow.probing.settings import (
    CORPUS_SETTINGS,
    GRAMMAR_SETTINGS,
    PIPELINE,
    SENTENCES,
    ProbingSettings,
)

if TYPE_CHECKING:
    from cmow.probing.build import BuiltSet, Progress
    from cmow.probing.from_corpus import build_from_corpus
    from cmow.probing.from_grammar import build_from_grammar
    from cmow.probing.unparsed import build_unparsed

__all__ = [
    "CORPUS_SETTINGS",
    "GRAMMAR_SETTINGS",
    "PIPELINE",
    "SENTENCES",
    "BuiltSet",
    "ProbingSettings",
    "Progress",
    "build_from_corpus",
    "build_from_grammar",
    "build_unparsed",
]

__getattr__ = on_demand(
    __name__,
    {
        "BuiltSet": "cmow.probing.build",
        "Progress": "cmow.probing.build",
        "build_from_corpus": "cmow.probing.from_corpus",
        "build_from_grammar": "cmow.probing.from_grammar",
        "build_unparsed": "cmow.probing.unparsed",
    },
)
