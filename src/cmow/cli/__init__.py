"""The command line: one file a command, one line for whatever goes wrong."""

import logging
import signal
import sys

from cmow.cli import (  # noqa: F401 (each registers its command)
    classify,
    cluster,
    convert,
    demo,
    distill,
    duplicates,
    encode,
    evaluate,
    export_web,
    grammar,
    index,
    info,
    init,
    neighbors,
    plot,
    prepare,
    probing,
    reproduce,
    search,
    serve,
    similarity,
    train,
    triples,
)
from cmow.cli.app import app
from cmow.cli.misuse import explain

__all__ = ["app", "main"]


def main() -> None:
    """Run the command line; bad input ends in one line on stderr and exit code 2."""
    # Better an odd character than no result, where the terminal cannot show it.
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    logging.basicConfig(format="cmow: %(message)s")
    # Whoever ends the process this way wants it to clear up first.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    try:
        code = app(sys.argv[1:] or ["--help"], prog_name="cmow", standalone_mode=False)
    except Exception as error:
        message = explain(error)
        if message is None:
            raise
        if message:
            sys.stderr.write(f"cmow: {message}\n")
        code = 2
    sys.exit(code)
