"""Text of any size becomes ids on disk."""

from typing import TYPE_CHECKING

from cmow.corpus.settings import SPLITTERS, PrepareSettings
from cmow.lazy import lazy_names

if TYPE_CHECKING:
    from cmow.corpus.arrow import (
        LONGEST_MAGIC,
        MissingColumnError,
        arrow_kind,
        check_texts,
        texts_of,
    )
    from cmow.corpus.batches import Batch, read_batches
    from cmow.corpus.columns import Row, read_rows
    from cmow.corpus.encoding import InvalidLines
    from cmow.corpus.manifest import is_prepared
    from cmow.corpus.permutation import Permutation
    from cmow.corpus.preparation import prepare
    from cmow.corpus.readers import STDIN, expand, lines_of, read_blocks, read_lines
    from cmow.corpus.shards import Corpus
    from cmow.corpus.tables import without_tables

__all__ = [
    "LONGEST_MAGIC",
    "SPLITTERS",
    "STDIN",
    "Batch",
    "Corpus",
    "InvalidLines",
    "MissingColumnError",
    "Permutation",
    "PrepareSettings",
    "Row",
    "arrow_kind",
    "check_texts",
    "expand",
    "is_prepared",
    "lines_of",
    "prepare",
    "read_batches",
    "read_blocks",
    "read_lines",
    "read_rows",
    "texts_of",
    "without_tables",
]

__getattr__ = lazy_names(
    __name__,
    arrow=["LONGEST_MAGIC", "MissingColumnError", "arrow_kind", "check_texts", "texts_of"],
    batches=["Batch", "read_batches"],
    columns=["Row", "read_rows"],
    encoding=["InvalidLines"],
    manifest=["is_prepared"],
    permutation=["Permutation"],
    preparation=["prepare"],
    readers=["STDIN", "expand", "lines_of", "read_blocks", "read_lines"],
    shards=["Corpus"],
    tables=["without_tables"],
)
