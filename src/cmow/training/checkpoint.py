"""What an interrupted run goes on from; whenever its writer is killed, a whole one is there.

The arrays of a checkpoint get a folder of their own. The file that names this folder takes the
place of the older file at once, and only then is the older folder removed.
"""

import errno
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from cmow.arrays import Floats
from cmow.durable import replaced_folder, write_json
from cmow.errors import ConfigError, FormatError
from cmow.parsing import read_json
from cmow.training.checksum import checksum_of, checksum_of_file
from cmow.training.config import TrainConfig
from cmow.training.history import Extent
from cmow.training.state import State

CHECKPOINT = "run.json"
VERSION = 2


@dataclass(frozen=True)
class Checkpoint:
    """What there is to know of a run, but its arrays."""

    settings: dict[str, Any]  # all of the configuration
    corpus: str  # fingerprint
    objective: str  # its name
    state: dict[str, Any]  # of which State.of makes a state
    history: Extent  # what of it belongs to this state
    arrays: str | None = None  # name of their folder; None before the first update
    checksums: dict[str, str] = field(default_factory=dict)  # of the arrays' files by name
    ending: str | None = None  # why the run is finished
    processes: int = 1  # that train together

    def write(self, folder: Path) -> None:
        """Put this one in the place of the older one and remove what it does not name."""
        self._write(folder)
        for other in folder.glob("*update-*"):  # hidden ones too, which killed writers leave
            if other.name not in (self.arrays, self.aside):
                shutil.rmtree(other, ignore_errors=True)

    def leave(self, run: Path, model: Path) -> None:
        """Remove a run that has finished; what there is to know of it stays with the model."""
        replace(self, arrays=None, checksums={})._write(model)
        (run / CHECKPOINT).unlink()  # first: without it, what a killed process leaves is no run
        shutil.rmtree(run)

    def _write(self, folder: Path) -> None:
        values = {"version": VERSION, **asdict(self)}
        write_json(folder / CHECKPOINT, {**values, "checksum": _checksum(values)})

    @property
    def is_left(self) -> bool:
        """Whether this is all that is left of a run that has finished."""
        return self.ending is not None and self.arrays is None

    @property
    def aside(self) -> str:
        """Name of the folder that keeps the best encoder of this state."""
        return f"update-{self.state['update']}.best"

    @classmethod
    def read(cls, folder: Path) -> "Checkpoint | None":
        """The checkpoint of a run, if there has been one."""
        path = folder / CHECKPOINT
        try:
            values = read_json(path)
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise _damaged(path, folder) from error
        version = values.get("version") if isinstance(values, dict) else None
        if isinstance(version, int) and version != VERSION:
            raise FormatError(f"{path}: of another version of cmow; remove {folder} to start over")
        if version is None or values.pop("checksum", None) != _checksum(values):
            raise _damaged(path, folder)
        values.setdefault("processes", 1)  # runs of older versions do not tell
        if not all(holds(values.get(name)) for name, holds in FIELDS.items()):
            raise _damaged(path, folder)
        values["history"] = Extent(*values["history"])
        return cls(**{each.name: values[each.name] for each in fields(cls)})


def _checksum(values: Mapping[str, Any]) -> str:
    return checksum_of(json.dumps(values, sort_keys=True).encode())


def _damaged(path: Path, run: Path) -> FormatError:
    return FormatError(f"{path}: damaged; remove {run} to start over")


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_text_or_none(value: Any) -> bool:
    return value is None or isinstance(value, str)


def _are_settings(value: Any) -> bool:
    return isinstance(value, dict) and _is_understood(TrainConfig.check, value)


def _is_state(value: Any) -> bool:
    return isinstance(value, dict) and _is_understood(State.of, value)


def _is_understood(read: Callable[[dict[str, Any]], object], value: dict[str, Any]) -> bool:
    try:
        read(value)
    except (ConfigError, FormatError):
        return False
    return True


def _is_extent(value: Any) -> bool:
    return (
        isinstance(value, list) and [type(each) for each in value] == [int, str] and value[0] >= 0
    )


def _is_count(value: Any) -> bool:
    return type(value) is int and value > 0


def _are_checksums(value: Any) -> bool:
    return isinstance(value, dict) and all(map(_is_text, value.values()))


FIELDS: dict[str, Callable[[Any], bool]] = {
    "settings": _are_settings,
    "corpus": _is_text,
    "objective": _is_text,
    "state": _is_state,
    "history": _is_extent,
    "arrays": _is_text_or_none,
    "checksums": _are_checksums,
    "ending": _is_text_or_none,
    "processes": _is_count,
}


def write_arrays(folder: Path, arrays: Mapping[str, Floats]) -> dict[str, str]:
    """Write arrays into a folder of their own, without copying them; returns their checksums."""
    checksums = {}
    with replaced_folder(folder) as fresh:
        for name, array in arrays.items():
            path = fresh / f"{name}.npy"
            try:
                np.save(path, array, allow_pickle=False)
            except OSError as error:
                # NumPy tells how many numbers it could write, but neither where nor why.
                reason = error.strerror or "not all could be written, maybe the disk is full"
                raise OSError(error.errno or errno.EIO, reason, str(path)) from error
            checksums[path.name] = checksum_of_file(path)
    return checksums


def read_arrays(folder: Path, arrays: Mapping[str, Floats], checksums: Mapping[str, str]) -> None:
    """Fill arrays with those of a folder.

    :param checksums: what `write_arrays` has returned
    """
    for name, array in arrays.items():
        path = folder / f"{name}.npy"
        if not path.is_file() or checksum_of_file(path) != checksums.get(path.name):
            raise _damaged(path, folder.parent)
        written = np.load(path, mmap_mode="r", allow_pickle=False)
        if written.shape != array.shape:  # such as after a change of the model to continue from
            raise FormatError(f"{path}: not of this model; remove {folder.parent} to start over")
        array[...] = written
