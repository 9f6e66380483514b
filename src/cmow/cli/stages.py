"""The progress of a build in stages: a bar on a terminal, now and then a line in a pipe."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cmow.probing import Progress

SECONDS_BETWEEN_LINES = 10.0


@contextlib.contextmanager
def shown_stages() -> "Iterator[Callable[[Progress], None]]":
    """A callback that shows on stderr how far a build has come."""
    if sys.stderr.isatty():
        with _bar() as show:
            yield show
    else:
        yield _lines()


@contextlib.contextmanager
def _bar() -> "Iterator[Callable[[Progress], None]]":
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.TextColumn("{task.description}"),
        rich.BarColumn(),
        rich.MofNCompleteColumn(),
        rich.TimeRemainingColumn(),
    )
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task("")
        stage = ""

        def show(progress: "Progress") -> None:
            nonlocal stage
            if progress.stage != stage:
                stage = progress.stage
                display.reset(task, description=stage)
            display.update(task, completed=progress.done, total=progress.total)

        yield show


def _lines() -> "Callable[[Progress], None]":
    last = time.monotonic()

    def show(progress: "Progress") -> None:
        nonlocal last
        if time.monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            sys.stderr.write(f"{progress.stage}: {progress.done:,} of {progress.total:,}\n")

    return show
