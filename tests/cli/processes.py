"""Runs `cmow` as its users do."""

import os
import pty
import subprocess
import sys
from pathlib import Path

CMOW = [sys.executable, "-m", "cmow"]


def run(*arguments: object, stdin: bytes = b"") -> "subprocess.CompletedProcess[bytes]":
    """Run to the end, with pipes for everything."""
    command = [*CMOW, *map(str, arguments)]
    return subprocess.run(command, input=stdin, capture_output=True, check=False)


def run_on_terminal(*arguments: object, stdout: int | None = None) -> tuple[int, str]:
    """The exit code, and what a terminal shows.

    :param stdout: something else than the terminal, which then has stderr only
    """
    terminal, theirs = pty.openpty()
    process = subprocess.Popen(
        [*CMOW, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=theirs if stdout is None else stdout,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    shown = b""
    while chunk := _read(terminal):
        shown += chunk
    os.close(terminal)
    return process.wait(), shown.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # what Linux says when the other end is closed
        return b""


def files_in(folder: Path) -> list[str]:
    """All names in a folder, hidden ones too."""
    return sorted(file.name for file in folder.iterdir())
