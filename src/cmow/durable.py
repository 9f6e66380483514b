"""Writing all or nothing: whoever looks, and whenever the writer dies, it is the old or the new.

What is new is written into a hidden folder beside the old, flushed to the disk, and takes the place
of the old by a single system call. Where the system has none that exchanges two folders (other than
Linux and macOS, or an unusual file system), two renames come close: a writer killed between them
leaves the old folder under a hidden name that ends in ``.replaced``.
"""

import ctypes
import errno
import fcntl
import glob
import json
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from cmow.errors import FormatError

Content = TypeVar("Content")

ATTEMPTS = 50  # to read a folder that is replaced meanwhile
UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}


def write_whole(path: Path, text: str) -> None:
    """Write a file that has all of the text or, after any accident, what it had before."""
    with replaced_file(path) as fresh:
        fresh.write_text(text, "utf-8", newline="\n")


def write_json(path: Path, value: object) -> None:
    """Write a value as JSON, all of it or nothing."""
    write_whole(path, json.dumps(value, indent=1, ensure_ascii=False) + "\n")


@contextmanager
def replaced_file(path: Path) -> Iterator[Path]:
    """Where to write a file that takes the place of ``path`` when the block ends without an error.

    A link to a file stays a link.
    """
    path = path.resolve()
    with _draft(path) as folder, _named(path, instead_of=folder / path.name):
        fresh = folder / path.name
        yield fresh
        _flush(fresh)
        fresh.replace(path)
        _flush(path.parent)


@contextmanager
def replaced_folder(path: Path, *, carry_over: bool = False) -> Iterator[Path]:
    """An empty folder that takes the place of ``path`` when the block ends without an error.

    :param carry_over: keep the files of the old folder that the new one lacks
    """
    path = path.resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    with _draft(path) as fresh, _named(path, instead_of=fresh):
        yield fresh
        if path.exists():
            if carry_over:
                _carry_over(path, fresh)
            with suppress(FileNotFoundError):  # where another writer has to rename it twice
                shutil.copymode(path, fresh)
        _flush_tree(fresh)
        _take_place(fresh, path)
        _flush(path.parent)


def read_whole(path: Path, read: Callable[[Path], Content]) -> Content:
    """What is read of a folder, never a mixture of two, also while another process replaces it."""
    for _ in range(ATTEMPTS):
        before = _identity(path)
        try:
            content = read(path)
        except (ValueError, OSError):  # also what two files of different folders lead to
            if _identity(path) == before:
                raise
            continue
        if _identity(path) == before:
            return content
    raise FormatError(f"{path}: replaced again and again while it was being read")


def _identity(path: Path) -> tuple[int, int]:
    """Tells one folder from another of the same name."""
    status = path.stat()
    return status.st_ino, status.st_mtime_ns


@contextmanager
def _named(path: Path, *, instead_of: Path) -> Iterator[None]:
    """Errors of the file system name what is written, not where it is drafted."""
    try:
        yield
    except OSError as error:
        name = str(error.filename or path).replace(str(instead_of), str(path))
        if error.strerror is None or name == error.filename:
            raise
        raise OSError(error.errno, error.strerror, name) from error


@contextmanager
def _draft(path: Path) -> Iterator[Path]:
    """A hidden folder beside a file or folder; what killed writers left there is removed."""
    _remove_leftovers(path)
    fresh, lock = _sibling(path), None
    try:  # from before the folder is made: a signal may come at any time
        while (lock := _locked(fresh, instead_of=path)) is None:
            fresh = _sibling(path)
        yield fresh
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _sibling(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(8)}.new")


def _locked(fresh: Path, *, instead_of: Path) -> int | None:
    """A lock on a new folder, which tells others that its writer lives; None if it is gone."""
    with _named(instead_of, instead_of=fresh):
        fresh.mkdir()
    try:
        lock = os.open(fresh, os.O_RDONLY)
    except FileNotFoundError:
        return None  # another writer took it for a leftover, as it may until it is locked
    with suppress(OSError):  # some network file systems lock no folders
        fcntl.flock(lock, fcntl.LOCK_EX)
    if fresh.exists():
        return lock
    os.close(lock)
    return None


def _remove_leftovers(path: Path) -> None:
    name = glob.escape(f".{path.name}.") + "[0-9a-f]" * 16
    for leftover in path.parent.glob(f"{name}.new"):
        with suppress(OSError):
            lock = os.open(leftover, os.O_RDONLY)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(leftover, ignore_errors=True)
            finally:
                os.close(lock)
    if path.exists():
        for leftover in path.parent.glob(f"{name}.replaced"):
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
    aside = fresh.with_suffix(".replaced")
    while not _renamed(fresh, folder) and not _exchanged(fresh, folder):
        shutil.rmtree(aside, ignore_errors=True)  # another writer was faster after the last time
        with suppress(FileNotFoundError):
            folder.rename(aside)
    shutil.rmtree(aside, ignore_errors=True)


def _renamed(fresh: Path, folder: Path) -> bool:
    """Rename it, unless it would have to replace a folder that is not empty."""
    try:
        fresh.rename(folder)
    except OSError as error:
        if error.errno not in (errno.ENOTEMPTY, errno.EEXIST):
            raise
        return False
    return True


def _exchanged(fresh: Path, folder: Path) -> bool:
    """Exchange two folders, if the system can."""
    libc = ctypes.CDLL(None, use_errno=True)
    paths = os.fsencode(fresh), os.fsencode(folder)
    if sys.platform == "darwin":
        swap, arguments = getattr(libc, "renamex_np", None), (*paths, 2)
    else:
        swap, arguments = getattr(libc, "renameat2", None), (-100, paths[0], -100, paths[1], 2)
    if swap is None:
        return False
    if swap(*arguments) == 0:
        return True
    code = ctypes.get_errno()
    if code not in UNSUPPORTED:
        raise OSError(code, os.strerror(code), str(folder))
    return False


def _flush_tree(folder: Path) -> None:
    for path, _, names in os.walk(folder):
        for file in (Path(path, name) for name in names):
            if file.is_file() and not file.is_symlink():
                _flush(file)
        _flush(Path(path))


def _flush(path: Path) -> None:
    """Have the disk hold what was written to a file or folder."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
