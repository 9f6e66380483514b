"""Text of any size becomes ids on disk."""

from cmow.corpus.encoding import InvalidLines
from cmow.corpus.manifest import is_prepared
from cmow.corpus.permutation import Permutation
from cmow.corpus.prepare import prepare
from cmow.corpus.readers import STDIN, expand, read_blocks, read_lines
from cmow.corpus.settings import SPLITTERS, PrepareSettings
from cmow.corpus.shards import Corpus

__all__ = [
    "SPLITTERS",
    "STDIN",
    "Corpus",
    "InvalidLines",
    "Permutation",
    "PrepareSettings",
    "expand",
    "is_prepared",
    "prepare",
    "read_blocks",
    "read_lines",
]
