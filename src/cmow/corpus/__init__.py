"""Text of any size becomes ids on disk."""

from cmow.corpus.manifest import is_prepared
from cmow.corpus.permutation import Permutation
from cmow.corpus.prepare import prepare
from cmow.corpus.settings import PrepareSettings
from cmow.corpus.shards import Corpus

__all__ = ["Corpus", "Permutation", "PrepareSettings", "is_prepared", "prepare"]
