"""Text of any size becomes ids on disk."""

from typing import TYPE_CHECKING

from cmow.corpus.settings import PrepareSettings
from cmow.lazy import on_demand

if TYPE_CHECKING:
    from cmow.corpus.manifest import is_prepared
    from cmow.corpus.permutation import Permutation
    from cmow.corpus.preparation import prepare
    from cmow.corpus.progress import Progress
    from cmow.corpus.shards import Corpus

__all__ = ["Corpus", "Permutation", "PrepareSettings", "Progress", "is_prepared", "prepare"]

__getattr__ = on_demand(
    __name__,
    {
        "Corpus": "cmow.corpus.shards",
        "Permutation": "cmow.corpus.permutation",
        "Progress": "cmow.corpus.progress",
        "is_prepared": "cmow.corpus.manifest",
        "prepare": "cmow.corpus.preparation",
    },
)
