"""The progress of a preparation."""

from contextlib import AbstractContextManager

from cmow.cli.stages import shown_stages
from cmow.progress import ProgressCallback

STAGES = {
    "copy": "copying the input",
    "check": "checking for changes",
    "count": "counting words",
    "write": "writing ids",
}


def shown_progress() -> AbstractContextManager[ProgressCallback]:
    """A callback for `prepare` that shows on stderr how far it has come."""
    return shown_stages("bytes", STAGES)
