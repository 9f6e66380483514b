"""A model folder: config.json, tokenizer.json, model.safetensors and a model card."""

from collections.abc import Mapping, Sequence
from errno import ENOTDIR
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cmow.durable import read_whole, replaced_folder, write_json
from cmow.encoder.card import model_card
from cmow.encoder.config import ModelConfig
from cmow.encoder.part import SCALED, TABLE_TYPES, Part, table_columns
from cmow.encoder.projection import Projection
from cmow.encoder.records import Record, read_records, write_records
from cmow.encoder.shapes import PartShape
from cmow.encoder.storage import StorageLoss
from cmow.encoder.tensors import map_tensors, read_metadata, write_tensors
from cmow.errors import ConfigError, FormatError
from cmow.text import Tokenizer

CONFIG, TOKENIZER, TENSORS, CARD = "config.json", "tokenizer.json", "model.safetensors", "README.md"
MODULES = "modules.json"  # by which sentence-transformers opens the folder, too
MODULE = "cmow.integrations.sentence_transformers.CMOW"


class Model(NamedTuple):
    """What a folder holds."""

    tokenizer: Tokenizer
    parts: list[Part]
    projection: Projection | None
    training: Mapping[str, Any]


def write_model(
    path: Path, model: Model, *, losses: Sequence[StorageLoss], name: str | None = None
) -> None:
    """Write a folder, or replace the model in an existing one, at once.

    :param name: for the card; the folder's unless given
    """
    check_replaceable(path)
    vocabulary = model.tokenizer.vocabulary
    config = ModelConfig.of(
        model.parts,
        model.projection,
        vocabulary_size=len(vocabulary),
        training=model.training,
    )
    tensors: dict[str, NDArray[Any]] = {"counts": vocabulary.counts}
    for part in model.parts:
        tensors[f"{part.name}.table"] = part.table
        if part.scales is not None:
            tensors[f"{part.name}.scales"] = part.scales
    if model.projection is not None:
        tensors |= model.projection.tensors()
    records = write_records(model.parts)
    with replaced_folder(path, carry_over=True) as folder:
        write_tensors(folder / TENSORS, tensors, metadata=records)
        model.tokenizer.save(folder / TOKENIZER)
        config.write(folder / CONFIG)
        card = model_card(name or path.resolve().name, config, model.tokenizer, losses)
        (folder / CARD).write_text(card, "utf-8")
        if not (path / MODULES).exists():  # else it may name more that comes behind
            write_json(folder / MODULES, [{"idx": 0, "name": "0", "path": "", "type": MODULE}])


def read_model(path: Path, *, verify: bool = False) -> Model:
    """Open a folder, also while another process replaces it.

    :param verify: read the tables, and refuse those that are not what was saved
    """
    if path.is_file():
        raise NotADirectoryError(ENOTDIR, "a file, and a model is a folder", str(path))
    return read_whole(path, partial(_read, verify=verify))


def _read(path: Path, *, verify: bool) -> Model:
    config = ModelConfig.read(path / CONFIG)
    for name in (TENSORS, TOKENIZER):
        if not (path / name).is_file():
            raise FormatError(f"{path / name} is missing")
    words = config.vocabulary_size
    tensors, records = map_tensors(path / TENSORS), read_records(read_metadata(path / TENSORS))
    try:
        parts = [_part(entry, config, tensors, records) for entry in config.parts]
        for part in parts if verify else ():
            if part.name in records:
                records[part.name].verify(part)
        counts = _tensor(tensors, "counts", "int64", (words,))
        projection = _projection(config, tensors)
    except ValueError as error:
        raise FormatError(f"{path / TENSORS}: {error}") from error
    tokenizer = Tokenizer.from_file(path / TOKENIZER, counts=counts)
    if len(tokenizer.vocabulary) != words:
        raise FormatError(
            f"{path / TOKENIZER}: {len(tokenizer.vocabulary)} words, {CONFIG} says {words}"
        )
    return Model(tokenizer, parts, projection, config.training)


def _projection(config: ModelConfig, tensors: Mapping[str, NDArray[Any]]) -> Projection | None:
    if config.projection is None:
        return None
    try:
        return Projection.read(config.projection, tensors)
    except KeyError as missing:
        raise FormatError(f"tensor {missing} of the projection is missing") from None


def _part(
    entry: Mapping[str, Any],
    config: ModelConfig,
    tensors: Mapping[str, NDArray[Any]],
    records: Mapping[str, Record],
) -> Part:
    name, rows, storage = entry["name"], config.vocabulary_size, config.storage
    shape = PartShape.of(entry)
    columns = table_columns(storage, shape.monoid.row_width)
    table = _tensor(tensors, f"{name}.table", TABLE_TYPES[storage], (rows, columns))
    scales = None
    if storage in SCALED:
        scales = _tensor(tensors, f"{name}.scales", "float32", (rows,))
    known = records[name].magnitudes if name in records else None
    return Part(name, shape, table, scales, known)


def _tensor(
    tensors: Mapping[str, NDArray[Any]], name: str, dtype: str, shape: tuple[int, ...]
) -> NDArray[Any]:
    tensor = tensors.get(name)
    if tensor is None:
        raise FormatError(f"tensor {name!r} is missing")
    if tensor.dtype != np.dtype(dtype) or tensor.shape != shape:
        raise FormatError(
            f"tensor {name!r} is {tensor.dtype} {tensor.shape} where {CONFIG} wants {dtype} {shape}"
        )
    return tensor


def check_replaceable(path: Path) -> None:
    if not path.exists():
        return
    if not path.is_dir():
        raise ConfigError(f"{path} is a file: a model is a folder, choose another name")
    if Path.cwd().is_relative_to(path.resolve()):
        raise ConfigError(f"{path} is the current folder, which cannot be replaced: run elsewhere")
    if not any(path.iterdir()):
        return
    try:
        ModelConfig.read(path / CONFIG)
    except FormatError as error:
        raise ConfigError(f"{path} is neither empty nor a model: choose another folder") from error
