"""An index on disk: texts by what they are like."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from cmow.choices import Invalid, RowStorage
from cmow.durable import read_whole, replaced_folder
from cmow.encoder import Encoder, fingerprint, load
from cmow.errors import ConfigError
from cmow.numbers import ROW_STORAGES
from cmow.search.blocks import Blocks
from cmow.search.changing import Changing, check_replaceable, write_segment
from cmow.search.entries import Inputs, read_entries
from cmow.search.manifest import Manifest
from cmow.search.searching import Searching


class Index(Searching, Changing):
    """Texts that are found by what they are like; made by ``build`` and ``open``."""

    @classmethod
    def build(
        cls,
        encoder: Encoder | str | os.PathLike[str],
        texts_or_files: Inputs,
        folder: str | os.PathLike[str],
        *,
        columns: Mapping[str, Sequence[Any]] | None = None,
        column: str | None = None,
        storage: RowStorage = "float16",
        approximate: bool = False,
        invalid: Invalid = "fail",
        threads: int | None = None,
    ) -> "Index":
        """Write an index, or replace one.

        :param encoder: an encoder, or the folder of a model, which the index then remembers
        :param texts_or_files: a path, folder, glob or "-" for stdin, a text a line; several of them
            as Path objects; or any iterable of strings, which are the texts
        :param columns: what is known of each text, by name
        :param column: of files that are tables, where the texts are; the others are known of each
        :param storage: of the rows: float32, float16 or int8
        :param approximate: search by a graph, which looks at some rows only
        :param invalid: what to do with lines that are not UTF-8: fail, replace or skip
        :param threads: all cores of the process unless given
        """
        model = None
        if not isinstance(encoder, Encoder):
            model = _remembered(encoder)
            encoder = load(encoder)
        if storage not in ROW_STORAGES:
            raise ConfigError(f"storage must be one of {', '.join(ROW_STORAGES)}, not {storage!r}")
        folder = Path(folder)
        check_replaceable(folder)
        widths = Blocks(encoder).widths
        manifest = Manifest(fingerprint(encoder.comparable()), model, storage, widths)
        entries = read_entries(texts_or_files, columns, column=column, invalid=invalid)
        with replaced_folder(folder) as fresh:
            manifest = write_segment(fresh, manifest, encoder, entries, threads)
        index = cls(folder, encoder, manifest)
        if approximate:
            index.approximate(threads=threads)
        return index

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        encoder: Encoder | str | os.PathLike[str] | None = None,
    ) -> "Index":
        """Open an index; its rows stay on disk and are shared with other processes.

        :param encoder: the one that the index was built with, unless it remembers the folder
        """
        return read_whole(Path(folder), lambda path: cls._read(path, encoder))

    @classmethod
    def _read(cls, folder: Path, encoder: Encoder | str | os.PathLike[str] | None) -> "Index":
        manifest = Manifest.read(folder)
        if encoder is None:
            if manifest.model is None:
                raise ConfigError(f"{folder}: the index does not say where its model is: give it")
            encoder = manifest.model
        if not isinstance(encoder, Encoder):
            encoder = load(encoder)
        if fingerprint(encoder.comparable()) != manifest.fingerprint:
            raise ConfigError(
                f"{folder}: built with another model than {encoder.shape} of "
                f"{len(encoder.vocabulary):,} words that was given: give that one, or rebuild"
            )
        return cls(folder, encoder, manifest)


def _remembered(model: str | os.PathLike[str]) -> str:
    """A folder as it is found again from elsewhere; a name that is none stays as it is."""
    path = Path(model)
    return str(path.resolve()) if path.exists() else str(model)
