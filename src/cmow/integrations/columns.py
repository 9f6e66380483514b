"""The work of a process among many: batches of a table in, the same with embeddings out."""

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from platform import node
from typing import Any

from cmow.arrow_columns import columns_of, refuse_taken, with_embeddings
from cmow.choices import Normalization, RowStorage
from cmow.corpus import texts_of
from cmow.encoder import Encoder, fingerprint, load
from cmow.errors import ConfigError


@dataclass(frozen=True)
class ColumnEncoding:
    """What every process has to know; the model itself is mapped by each, and never sent."""

    model: str  # its folder, by the same path on every machine
    fingerprint: str  # of the model as it is where the work is given out
    column: str  # with the texts
    into: str
    part: str | None
    normalize: Normalization | None
    storage: RowStorage
    threads: int

    @classmethod
    def of(cls, model: str | os.PathLike[str], **settings: Any) -> "ColumnEncoding":
        """The encoding by a model that is opened here first."""
        path = str(Path(model).resolve()) if Path(model).exists() else str(model)
        return cls(path, fingerprint(load(path)), **settings)

    @property
    def new_columns(self) -> list[str]:
        """The names of the columns that it adds."""
        return columns_of(self.into, self.storage)

    def check(self, names: list[str]) -> None:
        """Refuse a table of columns that it cannot work with."""
        if self.column not in names:
            raise ConfigError(f"there is no column {self.column!r} among {', '.join(names)}")
        refuse_taken(self.new_columns, names)

    def moved(self, model: str) -> "ColumnEncoding":
        """The same with the model elsewhere."""
        return replace(self, model=model)

    def open(self) -> Callable[[Any], Any]:
        """Map the model, and give what makes batches of Arrow into others."""
        encoder = self._checked(load(self.model))
        if self.part is not None:
            encoder = encoder.part(self.part)

        def encode(batch: Any) -> Any:
            texts = texts_of(batch, self.column, "the table")
            embeddings = encoder.encode(texts, normalize=self.normalize, threads=self.threads)
            return with_embeddings(batch, embeddings, into=self.into, storage=self.storage)

        return encode

    def _checked(self, encoder: Encoder) -> Encoder:
        if fingerprint(encoder) != self.fingerprint:
            raise ConfigError(
                f"{self.model} on {node()} is another model than where the work was "
                "given out: copy the same folder to every machine"
            )
        return encoder
