"""Text of any size becomes ids on disk."""

from typing import TYPE_CHECKING

from cmow.corpus.settings import SPLITTERS, PrepareSettings
from cmow.lazy import lazy_names

if TYPE_CHECKING:
    from cmow.corpus.columns import PARQUET, MissingColumnError, Row, read_rows
    from cmow.corpus.encoding import InvalidLines
    from cmow.corpus.manifest import is_prepared
    from cmow.corpus.permutation import Permutation
    from cmow.corpus.preparation import prepare
    from cmow.corpus.readers import STDIN, expand, read_blocks, read_lines
    from cmow.corpus.shards import Corpus

__all__ = [
    "PARQUET",
    "SPLITTERS",
    "STDIN",
    "Corpus",
    "InvalidLines",
    "MissingColumnError",
    "Permutation",
    "PrepareSettings",
    "Row",
    "expand",
    "is_prepared",
    "prepare",
    "read_blocks",
    "read_lines",
    "read_rows",
]

__getattr__ = lazy_names(
    __name__,
    columns=["PARQUET", "MissingColumnError", "Row", "read_rows"],
    encoding=["InvalidLines"],
    manifest=["is_prepared"],
    permutation=["Permutation"],
    preparation=["prepare"],
    readers=["STDIN", "expand", "read_blocks", "read_lines"],
    shards=["Corpus"],
)
