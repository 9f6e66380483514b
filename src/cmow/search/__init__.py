"""Texts that are like others: an index on disk, near-duplicates."""

from typing import TYPE_CHECKING

from cmow.lazy import lazy_names

if TYPE_CHECKING:
    from cmow.search.duplicates import Duplicate, find_duplicates
    from cmow.search.index import Hit, Index

__all__ = ["Duplicate", "Hit", "Index", "find_duplicates"]

__getattr__ = lazy_names(
    __name__,
    duplicates=["Duplicate", "find_duplicates"],
    index=["Hit", "Index"],
)
