"""Where the best encoder of a run is kept."""

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from cmow.arrays import Floats
from cmow.durable import replaced_file, replaced_folder, write_whole
from cmow.encoder import Encoder, Part, Projection, load, map_tensors, read_metadata, write_tensors
from cmow.errors import FormatError
from cmow.text import Tokenizer
from cmow.training.checksum import Checksum
from cmow.training.history import HISTORY
from cmow.training.objectives import Objective
from cmow.training.parameters import Parameters

OUTPUT_FILE = "output.safetensors"
MODEL = "model"  # notes the tables that the output tables were trained with


class _Kept(NamedTuple):
    """What an encoder is made of when it is asked for: most are replaced before."""

    parts: Sequence[Part]
    projection: Projection | None
    training: Mapping[str, Any]


class Store:
    """A model folder, or memory if there is none.

    :param keep_output: keep the objective's own tables beside the encoder
    """

    def __init__(
        self,
        folder: Path | None,
        tokenizer: Tokenizer,
        objective: Objective,
        *,
        keep_output: bool,
    ) -> None:
        self._folder = folder
        self._objective = objective
        self._tokenizer = tokenizer
        self._keep_output = keep_output or objective.keeps_tables
        self._kept: _Kept | None = None
        self._kept_output: dict[str, Floats] = {}

    def keep(self, parameters: Parameters, training: Mapping[str, Any]) -> None:
        """Keep the encoder as it is now.

        :param training: what the model is to say of its training
        """
        projection = self._objective.projection(parameters)
        own = {trained.name: trained.table for trained in parameters.objective}
        if self._folder is None:
            self._kept = None  # first, so that its memory serves again
            if self._keep_output:
                self._kept_output = {name: table.copy() for name, table in own.items()}
            copies = [
                Part(part.name, part.shape, part.table.copy())
                for part in parameters.encoder_parts()
            ]
            self._kept = _Kept(copies, projection, training)
            return
        encoder = Encoder(
            self._tokenizer, parameters.encoder_parts(), projection=projection, training=training
        )
        encoder.save(self._folder)
        output = self._folder / OUTPUT_FILE
        if self._keep_output:
            write_output(self._folder, parameters.encoder_parts(), own)
        else:
            output.unlink(missing_ok=True)  # of a model that was here before

    def keep_history(self, history: Path) -> None:
        """Put a copy of the history beside the encoder."""
        if self._folder is not None:
            write_whole(self._folder / HISTORY, history.read_text("utf-8"))

    def set_aside(self, place: Path) -> None:
        """Keep a copy of the encoder, which another one may replace."""
        if self._folder is not None and not self.is_empty():
            with replaced_folder(place) as fresh:
                shutil.copytree(self._folder, fresh, dirs_exist_ok=True)

    def put_back(self, place: Path) -> None:
        """Return to the copy, if there is one."""
        if self._folder is not None and place.is_dir():
            with replaced_folder(self._folder, carry_over=True) as fresh:
                shutil.copytree(place, fresh, dirs_exist_ok=True)

    def is_empty(self) -> bool:
        """Whether there is no encoder at all."""
        return self._kept is None if self._folder is None else not self._folder.is_dir()

    def kept(self) -> Encoder:
        """The encoder that was kept last."""
        if self._folder is not None:
            return load(self._folder)
        kept = cast(_Kept, self._kept)
        return Encoder(
            self._tokenizer, kept.parts, projection=kept.projection, training=kept.training
        )

    def kept_output(self) -> dict[str, Floats]:
        """The objective's own tables that were kept with it, if they were."""
        if self._folder is None:
            return self._kept_output
        return read_output(self._folder, self.kept().parts)


def write_output(folder: Path, parts: Sequence[Part], tables: Mapping[str, Floats]) -> None:
    """Put the tables of an objective beside the model whose parts they belong to."""
    with replaced_file(folder / OUTPUT_FILE) as fresh:
        write_tensors(fresh, dict(tables), metadata={MODEL: _fingerprint(parts)})


def read_output(folder: Path, parts: Sequence[Part]) -> dict[str, Floats]:
    """The tables of a model's objective by name, if they were kept.

    :param parts: of the model, which may have been saved over the one that they belong to
    """
    path = folder / OUTPUT_FILE
    if not path.is_file():
        return {}
    if read_metadata(path).get(MODEL) != _fingerprint(parts):
        raise FormatError(f"{path}: not of this model; remove it")
    return map_tensors(path)


def _fingerprint(parts: Sequence[Part]) -> str:
    """Tells these tables from all others."""
    checksum = Checksum()
    for part in parts:
        checksum.add(f"{part.name} {part.shape} {part.storage}\n".encode())
        checksum.add(np.ascontiguousarray(part.table).data)
    return checksum.text()
