"""The config.json of a model folder."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from cmow.choices import Storage
from cmow.encoder.part import STORAGES, Part
from cmow.encoder.projection import Projection
from cmow.errors import FormatError
from cmow.parsing import read_json

FORMAT, FORMAT_VERSION = "cmow", 2
FOR_OTHERS = {"model_type": "cmow"}  # what tools of the hub look for; we do not read it


@dataclass(frozen=True)
class ModelConfig:
    """What a model folder says of itself."""

    cmow_version: str  # that wrote the folder
    dim: int  # numbers in an embedding
    vocabulary_size: int  # rows of each table
    parts: list[dict[str, Any]]  # name, composition, size and options of each
    flatten: str  # order in which tables and embeddings hold a matrix's numbers
    storage: Storage  # type of the tables' numbers
    projection: list[dict[str, Any]] | None  # of parts that are not just side by side
    training: Mapping[str, Any]  # how the model was trained, for people to read

    @classmethod
    def of(
        cls,
        parts: list[Part],
        projection: Projection | None,
        *,
        vocabulary_size: int,
        training: Mapping[str, Any],
    ) -> "ModelConfig":
        """Describe parts of the same storage."""
        from importlib.metadata import version  # slow to import, and of no use to readers

        return cls(
            cmow_version=version("cmow"),
            dim=sum(part.width for part in parts) if projection is None else projection.dim,
            vocabulary_size=vocabulary_size,
            parts=[{"name": part.name, **part.shape.settings()} for part in parts],
            flatten="columns",
            storage=parts[0].storage,
            projection=None if projection is None else projection.settings(),
            training=dict(training),
        )

    def write(self, path: Path) -> None:
        """Write the file."""
        # Readers of the first version know neither projections nor int4: what has none of them
        # stays readable for them.
        new = self.projection is not None or self.storage == "int4"
        version = FORMAT_VERSION if new else 1
        config = {"format": FORMAT, "format_version": version, **asdict(self), **FOR_OTHERS}
        path.write_text(json.dumps(config, indent=2, ensure_ascii=False) + "\n", "utf-8")

    @classmethod
    def read(cls, path: Path) -> "ModelConfig":
        """Read the file and check every field."""
        try:
            config = read_json(path)
        except FileNotFoundError:
            raise FormatError(f"{path} is missing: not a model folder") from None
        if not isinstance(config, dict) or config.get("format") != FORMAT:
            raise FormatError(f"{path}: not the configuration of a {FORMAT} model")
        _check_version(path, config.get("format_version"))
        config.setdefault("projection", None)  # which the first version did not know
        wrong = [name for name, holds in FIELDS.items() if not holds(config.get(name))]
        if wrong:
            faults = ", ".join(f"{name} = {config.get(name)!r}" for name in wrong)
            raise FormatError(f"{path}: wrong or missing: {faults}")
        return cls(**{field.name: config[field.name] for field in fields(cls)})


def _check_version(path: Path, number: Any) -> None:
    if not _is_count(number) or number == 0:
        raise FormatError(f"{path}: format_version = {number!r} is not a version")
    if number > FORMAT_VERSION:
        raise FormatError(
            f"{path}: format_version {number} is newer than this cmow reads, "
            f"{FORMAT_VERSION}: upgrade cmow"
        )


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_part(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("name"), str)
        and isinstance(value.get("composition"), str)
        and _is_count(value.get("size"))
    )


def _is_placement(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("part"), str)
        and _is_count(value.get("begin"))
        and _is_count(value.get("end"))
        and isinstance(value.get("factor"), (int, float))
        and isinstance(value.get("longest"), (int, float))
        and isinstance(value.get("mapped"), bool)
    )


FIELDS: dict[str, Callable[[Any], bool]] = {
    "cmow_version": lambda value: isinstance(value, str),
    "dim": _is_count,
    "vocabulary_size": _is_count,
    "parts": lambda value: isinstance(value, list) and value != [] and all(map(_is_part, value)),
    "flatten": lambda value: value == "columns",
    "storage": lambda value: value in STORAGES,
    "projection": lambda value: (
        value is None or (isinstance(value, list) and all(map(_is_placement, value)))
    ),
    "training": lambda value: isinstance(value, dict),
}
