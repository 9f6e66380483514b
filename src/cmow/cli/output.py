"""Where results go: stdout, or a file that appears only when it is complete."""

import errno
import fcntl
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from cmow.durable import replaced_file
from cmow.errors import ConfigError, path_in_errors

COPIED_AT_ONCE = 1 << 20


@contextmanager
def opened_output(path: Path | None, *, rewound: bool, binary: bool = False) -> Iterator[BinaryIO]:
    """A binary file to write to.

    :param path: stdout if None; an existing file keeps its content unless the block ends well
    :param rewound: whether the writer goes back in the file
    :param binary: whether a terminal cannot show it
    """
    if path is None:
        if binary and sys.stdout.isatty():
            raise ConfigError("binary data would spoil the terminal: give -o FILE or --format tsv")
        with _rewindable(sys.stdout.buffer, wanted=rewound) as file:
            yield file
    elif path.exists() and not path.is_file():  # a device or a named pipe
        with path.open("wb") as special, _rewindable(special, wanted=rewound) as file:
            yield file
    else:
        folder = path.resolve().parent
        if not folder.is_dir():
            raise FileNotFoundError(errno.ENOENT, "no such folder", str(folder))
        with replaced_file(path) as fresh, fresh.open("wb") as file:
            yield file


@contextmanager
def _rewindable(file: BinaryIO, *, wanted: bool) -> Iterator[BinaryIO]:
    """The file itself, or for a pipe a temporary one whose content it gets in the end."""
    if not wanted or _goes_back(file):
        yield file
        return
    with tempfile.TemporaryFile() as spool:
        with path_in_errors(tempfile.gettempdir()):
            yield spool
            spool.seek(0)
        shutil.copyfileobj(spool, file, COPIED_AT_ONCE)


def _goes_back(file: BinaryIO) -> bool:
    appending = fcntl.fcntl(file.fileno(), fcntl.F_GETFL) & os.O_APPEND
    return file.seekable() and not appending
