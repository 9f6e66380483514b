"""The progress of work in stages: a bar on a terminal, now and then a line in a pipe."""

import contextlib
import sys
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from cmow.progress import Progress, ProgressCallback

if TYPE_CHECKING:
    from rich.progress import ProgressColumn

SECONDS_BETWEEN_LINES = 10.0


@contextlib.contextmanager
def shown_stages(unit: str, names: Mapping[str, str] | None = None) -> Iterator[ProgressCallback]:
    """A callback that shows on stderr how far the work has come.

    :param unit: of what is done: "items", "bytes" or "share"
    :param names: stages in words, where they do not speak for themselves
    """
    names = names or {}
    if sys.stderr.isatty():
        with _bar(unit, names) as show:
            yield show
    else:
        yield _lines(unit, names)


@contextlib.contextmanager
def _bar(unit: str, names: Mapping[str, str]) -> Iterator[ProgressCallback]:
    from rich import progress as rich
    from rich.console import Console

    amounts: dict[str, list[ProgressColumn]] = {
        "items": [rich.MofNCompleteColumn()],
        "bytes": [rich.DownloadColumn(), rich.TransferSpeedColumn()],
        "share": [rich.TaskProgressColumn()],
    }
    columns = (
        rich.TextColumn("{task.description}", markup=False),
        rich.BarColumn(),
        *amounts[unit],
        rich.TimeRemainingColumn(),
    )
    # The share of long stages grows rarely: the time left follows from all that is behind.
    memory = 86_400.0 if unit == "share" else 30.0
    console = Console(stderr=True)
    with rich.Progress(
        *columns, console=console, transient=True, speed_estimate_period=memory
    ) as display:
        task = display.add_task("", visible=False)  # until there is something to show
        stage = ""

        def show(progress: Progress) -> None:
            nonlocal stage
            if progress.stage != stage:
                stage = progress.stage
                display.update(task, description=names.get(stage, stage))
                if unit != "share":  # which is of the whole work, whatever the stage
                    # A reset is drawn at once: without the numbers it would show an empty bar.
                    display.reset(task, completed=progress.done, total=progress.total)
            display.update(task, completed=progress.done, total=progress.total, visible=True)

        yield show


def _lines(unit: str, names: Mapping[str, str]) -> ProgressCallback:
    began = last = time.monotonic()

    def show(progress: Progress) -> None:
        nonlocal last
        if time.monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            stage = names.get(progress.stage, progress.stage)
            sys.stderr.write(f"{stage}{_amount(progress, unit, last - began)}\n")

    return show


def _amount(progress: Progress, unit: str, seconds: float) -> str:
    share = f" ({progress.done / progress.total:.0%})" if progress.total else ""
    if unit == "share":
        return share + _time_left(progress, seconds)
    amount = f"{progress.done / 1e6:,.0f} MB" if unit == "bytes" else f"{progress.done:,}"
    return f": {amount}{share}"


def _time_left(progress: Progress, seconds: float) -> str:
    """What is left of the whole work, if it goes on as it went so far."""
    if not progress.done or progress.total is None:
        return ""
    left = round(seconds * (progress.total - progress.done) / progress.done)
    return f", about {left // 60}:{left % 60:02} left"
