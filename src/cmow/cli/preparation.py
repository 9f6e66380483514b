"""The progress of a preparation."""

from contextlib import AbstractContextManager

from cmow.cli.stages import Show, shown_stages

STAGES = {
    "copy": "copying the input",
    "check": "checking for changes",
    "count": "counting words",
    "write": "writing ids",
}


def shown_progress() -> AbstractContextManager[Show]:
    """A callback for `prepare` that shows on stderr how far it has come."""
    return shown_stages("bytes", STAGES)
