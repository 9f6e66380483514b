"""A folder that appears only when it is complete."""

import contextlib
import fcntl
import glob
import os
import secrets
import shutil
from collections.abc import Iterator
from pathlib import Path

from cmow.durable import flush
from cmow.errors import path_in_errors


@contextlib.contextmanager
def unfinished(folder: Path) -> Iterator[Path]:
    """A hidden folder beside another one, whose place it takes if all goes well.

    If not, nothing of it stays; what a killed process leaves is removed by the next one.
    """
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(folder)
    work = _sibling(folder)
    work.mkdir()
    try:
        with path_in_errors(folder), _locked(work):
            yield work
            _synchronise(work)
            _put(work, folder)
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _sibling(folder: Path, token: str | None = None) -> Path:
    return folder.with_name(f".{folder.name}.{token or secrets.token_hex(8)}.unfinished")


def _remove_abandoned(folder: Path) -> None:
    pattern = _sibling(folder.with_name(glob.escape(folder.name)), "*").name
    for work in folder.parent.glob(pattern):
        with contextlib.suppress(OSError), _locked(work) as locked:
            if locked:
                shutil.rmtree(work)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Lock a folder until the end of this block or process; False if another process has it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # or the file system knows no locks: then nothing ever seems abandoned
            yield False
        else:
            yield True
    finally:
        os.close(handle)


def _synchronise(folder: Path) -> None:
    for file in folder.iterdir():
        flush(file)


def _put(work: Path, folder: Path) -> None:
    if folder.exists():
        old = _sibling(folder)
        folder.rename(old)
        work.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    else:
        work.rename(folder)
