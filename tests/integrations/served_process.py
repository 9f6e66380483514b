"""A `cmow serve` of its own process, on loopback."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple


class Server(NamedTuple):
    """A server that runs.

    :param log: what it writes to stdout, the access log
    """

    address: str
    process: "subprocess.Popen[bytes]"
    log: Path

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def workers(self) -> list[int]:
        """The processes that answer."""
        pid = self.process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [int(child) for child in children.split()]


@contextmanager
def serving(folder: Path, *arguments: object, **environment: str) -> Iterator[Server]:
    """Start one at any free port, and end it."""
    log, errors = folder / "access.jsonl", folder / "errors.log"
    command = [sys.executable, "-m", "cmow", "serve", *map(str, arguments), "--port", "0"]
    with log.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(
            command, stdout=out, stderr=err, env={**os.environ, **environment}
        )
    try:
        while not (told := re.search(r"at (http://\S+)\n", errors.read_text())):
            assert process.poll() is None, errors.read_text()
            time.sleep(0.01)
        yield Server(told[1], process, log)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
