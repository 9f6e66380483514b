"""The command line: one file a command, one line for whatever goes wrong."""

import os
import signal
import sys

from cmow.cli import grammar, prepare, probing  # noqa: F401 (each registers its command)
from cmow.cli.app import app
from cmow.cli.misuse import explain

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; bad input ends in one line on stderr and exit code 2."""
    try:
        code = app(prog_name="cmow", standalone_mode=False)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has gone, which is its right; keep the interpreter's last flush quiet too.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        code = 128 + signal.SIGINT
    except Exception as error:
        message = explain(error)
        if message is None:
            raise
        sys.stderr.write(f"cmow: {message}\n")
        code = 2
    sys.exit(code)
