"""Texts that are like others: an index on disk, near-duplicates, clusters."""

from typing import TYPE_CHECKING

from cmow.lazy import lazy_names

if TYPE_CHECKING:
    from cmow.search.clustering import find_clusters
    from cmow.search.duplicates import find_duplicates
    from cmow.search.embedded import Member
    from cmow.search.index import Index
    from cmow.search.searching import Hit

__all__ = ["Hit", "Index", "Member", "find_clusters", "find_duplicates"]

__getattr__ = lazy_names(
    __name__,
    clustering=["find_clusters"],
    duplicates=["find_duplicates"],
    embedded=["Member"],
    index=["Index"],
    searching=["Hit"],
)
