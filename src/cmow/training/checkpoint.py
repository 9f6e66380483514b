"""What an interrupted run goes on from; whenever its writer is killed, a whole one is there.

The arrays of a checkpoint get a folder of their own. The page that names this folder takes the
place of the older page at once, and only then is the older folder removed.
"""

import errno
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from cmow.arrays import Floats
from cmow.durable import replaced_folder, write_json
from cmow.errors import FormatError
from cmow.parsing import read_json

PAGE = "run.json"
VERSION = 1


@dataclass(frozen=True)
class Page:
    """What there is to know of a run, but its arrays."""

    settings: dict[str, Any]  # all of the configuration
    corpus: str  # fingerprint
    objective: str  # its name
    state: dict[str, Any]  # of which State.of makes a state
    history: int  # bytes of the history that belong to this state
    arrays: str | None = None  # name of their folder; None before the first update
    ending: str | None = None  # why the run is finished

    def write(self, folder: Path) -> None:
        """Put this page in the place of the older one and remove what it does not name."""
        write_json(folder / PAGE, {"version": VERSION, **asdict(self)})
        for arrays in folder.glob("*update-*"):  # hidden ones too, which killed writers leave
            if arrays.name != self.arrays:
                shutil.rmtree(arrays, ignore_errors=True)

    @classmethod
    def read(cls, folder: Path) -> "Page | None":
        """The page of a run, if there has been one."""
        path = folder / PAGE
        try:
            page = read_json(path)
            version = page.pop("version")
            if version == VERSION:
                return cls(**page)
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise FormatError(f"{path}: damaged; remove {folder} to start anew") from error
        raise FormatError(f"{path}: of another version of cmow; remove {folder} to start anew")


def write_arrays(folder: Path, arrays: Mapping[str, Floats]) -> None:
    """Write arrays into a folder of their own, without copying them in memory."""
    with replaced_folder(folder) as fresh:
        for name, array in arrays.items():
            path = fresh / f"{name}.npy"
            try:
                np.save(path, array, allow_pickle=False)
            except OSError as error:
                # NumPy tells how many numbers it could write, but neither where nor why.
                reason = error.strerror or "not all could be written, maybe the disk is full"
                raise OSError(error.errno or errno.EIO, reason, str(path)) from error


def read_arrays(folder: Path, arrays: Mapping[str, Floats]) -> None:
    """Fill arrays with those of a folder."""
    for name, array in arrays.items():
        path = folder / f"{name}.npy"
        try:
            array[...] = np.load(path, mmap_mode="r", allow_pickle=False)
        except (ValueError, EOFError) as error:
            raise FormatError(
                f"{path}: damaged ({error}); remove {folder.parent} to start anew"
            ) from error
