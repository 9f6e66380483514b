"""The progress of a preparation: a bar on a terminal, now and then a line in a pipe."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cmow.corpus import Progress

STAGES = {
    "copy": "copying the input",
    "check": "checking for changes",
    "count": "counting words",
    "write": "writing ids",
}
SECONDS_BETWEEN_LINES = 10.0


@contextlib.contextmanager
def shown_progress() -> "Iterator[Callable[[Progress], None]]":
    """A callback for `prepare` that shows on stderr how far it has come."""
    if sys.stderr.isatty():
        with _bars() as show:
            yield show
    else:
        yield _lines()


@contextlib.contextmanager
def _bars() -> "Iterator[Callable[[Progress], None]]":
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.DownloadColumn(),
        rich.TransferSpeedColumn(),
        rich.TimeRemainingColumn(),
    )
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as display:
        tasks: dict[str, rich.TaskID] = {}

        def show(progress: "Progress") -> None:
            if progress.stage not in tasks:
                tasks[progress.stage] = display.add_task(STAGES[progress.stage])
            task = tasks[progress.stage]
            display.update(task, completed=progress.done, total=progress.total)

        yield show


def _lines() -> "Callable[[Progress], None]":
    last = time.monotonic()

    def show(progress: "Progress") -> None:
        nonlocal last
        if time.monotonic() - last < SECONDS_BETWEEN_LINES:
            return
        last = time.monotonic()
        share = f" ({progress.done / progress.total:.0%})" if progress.total else ""
        sys.stderr.write(f"{STAGES[progress.stage]}: {progress.done / 1e6:,.0f} MB{share}\n")

    return show
