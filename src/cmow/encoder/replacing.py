"""Replaces a whole folder at once: whoever looks, and whenever the writer dies, it is old or new.

The new content is written to a hidden folder beside the old one, flushed to the disk, and the two
names are exchanged by a single system call. Where the system has none (other than Linux and
macOS, or an unusual file system), two renames come close: a writer killed between them leaves the
old folder under a hidden name that ends in ``.replaced``.
"""

import ctypes
import errno
import fcntl
import glob
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from cmow.durable import flush

UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


@contextmanager
def replaced_folder(folder: Path) -> Iterator[Path]:
    """An empty folder that takes the place of ``folder`` when the block ends without an error.

    Files of the old folder that the new one lacks are carried over.
    """
    folder = folder.resolve()
    folder.parent.mkdir(parents=True, exist_ok=True)
    _remove_leftovers(folder)
    fresh, lock = _locked_sibling(folder)
    try:
        yield fresh
        if folder.exists():
            _carry_over(folder, fresh)
            shutil.copymode(folder, fresh)
        _flush_tree(fresh)
        _take_place(fresh, folder)
        flush(folder.parent)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        os.close(lock)


def _locked_sibling(folder: Path) -> tuple[Path, int]:
    """A new hidden folder; the lock tells others that its writer lives."""
    while True:
        fresh = folder.with_name(f".{folder.name}.{secrets.token_hex(8)}.new")
        fresh.mkdir()
        try:
            lock = os.open(fresh, os.O_RDONLY)
        except FileNotFoundError:
            continue  # another save took it for a leftover, as it may until it is locked
        with suppress(OSError):  # some network file systems lock no folders
            fcntl.flock(lock, fcntl.LOCK_EX)
        if fresh.exists():
            return fresh, lock
        os.close(lock)


def _remove_leftovers(folder: Path) -> None:
    name = glob.escape(f".{folder.name}.") + "[0-9a-f]" * 16
    for leftover in folder.parent.glob(f"{name}.new"):
        with suppress(OSError):
            lock = os.open(leftover, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(leftover, ignore_errors=True)
            finally:
                os.close(lock)
    if folder.exists():
        for leftover in folder.parent.glob(f"{name}.replaced"):
            shutil.rmtree(leftover, ignore_errors=True)


def _carry_over(old: Path, fresh: Path) -> None:
    """Give the new folder what it lacks: the same files under a second name, not copies."""
    for entry in sorted(old.iterdir()):
        target = fresh / entry.name
        if entry.is_dir() and not entry.is_symlink():
            target.mkdir(exist_ok=True)
            _carry_over(entry, target)
        elif not os.path.lexists(target):
            try:
                os.link(entry, target, follow_symlinks=False)
            except OSError:  # a file system without hard links
                shutil.copy2(entry, target, follow_symlinks=False)


def _take_place(fresh: Path, folder: Path) -> None:
    try:
        fresh.rename(folder)  # of nothing, or of an empty folder
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        _exchange(fresh, folder)


def _exchange(fresh: Path, folder: Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    paths = os.fsencode(fresh), os.fsencode(folder)
    if sys.platform == "darwin":
        swap, arguments = getattr(libc, "renamex_np", None), (*paths, 2)
    else:
        swap, arguments = getattr(libc, "renameat2", None), (-100, paths[0], -100, paths[1], 2)
    if swap is not None and swap(*arguments) == 0:
        return
    code = ctypes.get_errno() if swap is not None else errno.ENOSYS
    if code not in UNSUPPORTED:
        raise OSError(code, os.strerror(code), str(folder))
    aside = fresh.with_suffix(".replaced")
    folder.rename(aside)
    fresh.rename(folder)
    shutil.rmtree(aside, ignore_errors=True)


def _flush_tree(folder: Path) -> None:
    for path, _, names in os.walk(folder):
        for file in (Path(path, name) for name in names):
            if file.is_file() and not file.is_symlink():
                flush(file)
        flush(Path(path))
