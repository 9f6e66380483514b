"""The ten probing tasks, rebuilt from a corpus or from the generated language."""

from typing import TYPE_CHECKING

from cmow.lazy import lazy_names
from cmow.paper.probing.settings import (
    CORPUS_SETTINGS,
    GRAMMAR_SETTINGS,
    PIPELINE,
    SENTENCES,
    ProbingSettings,
)

if TYPE_CHECKING:
    from cmow.paper.probing.build import BuiltSet
    from cmow.paper.probing.from_corpus import build_from_corpus
    from cmow.paper.probing.from_grammar import build_from_grammar
    from cmow.paper.probing.pool import LONGEST, SHORTEST, eligible
    from cmow.paper.probing.unparsed import build_unparsed

__all__ = [
    "CORPUS_SETTINGS",
    "GRAMMAR_SETTINGS",
    "LONGEST",
    "PIPELINE",
    "SENTENCES",
    "SHORTEST",
    "BuiltSet",
    "ProbingSettings",
    "build_from_corpus",
    "build_from_grammar",
    "build_unparsed",
    "eligible",
]

__getattr__ = lazy_names(
    __name__,
    build=["BuiltSet"],
    from_corpus=["build_from_corpus"],
    from_grammar=["build_from_grammar"],
    pool=["LONGEST", "SHORTEST", "eligible"],
    unparsed=["build_unparsed"],
)
