"""The folder of a run, beside that of the model: checkpoint, history and prepared corpus."""

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from cmow.arrays import Floats
from cmow.errors import ConfigError
from cmow.training.checkpoint import Checkpoint, write_arrays
from cmow.training.history import History
from cmow.training.state import State


def run_place(model: Path) -> Path:
    """Where the run that makes a model keeps what it needs to go on."""
    model = model.resolve()
    return model.with_name(f"{model.name}.run")


class RunFolder:
    """What a run writes while it is going on.

    :param model: the folder that will be left when the run has finished
    :param checkpoint: to go on from, or of a start
    """

    def __init__(self, path: Path, model: Path, checkpoint: Checkpoint) -> None:
        self._path, self._model = path, model
        self._latest = replace(checkpoint, ending=None)
        self.history = History(path, checkpoint.history)
        self._latest.write(path)

    @property
    def checkpointed(self) -> int:
        """Update of the latest checkpoint."""
        update: int = self._latest.state["update"]
        return update

    def checkpoint(self, state: State, arrays: Mapping[str, Floats]) -> None:
        """Replace the checkpoint."""
        name = f"update-{state.update}"
        self._latest = replace(
            self._latest,
            state=state.as_dict(),
            history=self.history.flush(),
            arrays=name,
            checksums=write_arrays(self._path / name, arrays),
        )
        self._latest.write(self._path)

    @property
    def aside(self) -> Path:
        """Where the best encoder goes before one of a validation that was not due."""
        return self._path / self._latest.aside

    def finish(self, reason: str) -> None:
        """Note that the run has ended by itself; more updates may follow nonetheless."""
        self._latest = replace(self._latest, ending=reason)
        self._latest.write(self._path)

    def leave(self, state: State) -> None:
        """Remove all of a run that has finished, but for a note in the model's folder.

        :param state: of the end, where more is known than at the last checkpoint
        """
        replace(self._latest, state=state.as_dict()).leave(self._path, self._model)

    def close(self) -> None:
        """No more is written."""
        self.history.close()


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Keep other processes off; the lock ends with this process, whatever its end."""
    lock = os.open(path, os.O_RDONLY)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise ConfigError(f"{path}: another process trains this model; wait for it") from None
        except OSError:
            pass  # a file system without locks
        yield
    finally:
        os.close(lock)
