"""What `cmow evaluate` shows: its progress on stderr, the tables on stdout."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cmow.evaluation import Progress, Report
    from cmow.evaluation.tables import Table

SECONDS_BETWEEN_LINES = 10.0


@contextlib.contextmanager
def shown_evaluation() -> "Iterator[Callable[[Progress], None]]":
    """A callback that shows the task and the time left: a bar on a terminal, lines in a pipe."""
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
        rich.TextColumn("{task.description}", markup=False),
        rich.BarColumn(),
        rich.TaskProgressColumn(),
        rich.TimeRemainingColumn(),
    )
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as display:
        task = display.add_task("reading")

        def show(progress: "Progress") -> None:
            display.update(
                task,
                description=progress.stage,
                completed=progress.done,
                total=progress.total,
            )

        yield show


def _lines() -> "Callable[[Progress], None]":
    last = time.monotonic()

    def show(progress: "Progress") -> None:
        nonlocal last
        if time.monotonic() - last >= SECONDS_BETWEEN_LINES:
            last = time.monotonic()
            share = 100 * progress.done / progress.total
            sys.stderr.write(f"{progress.stage} ({share:.0f} % done)\n")

    return show


def write_report(report: "Report", *, with_paper: bool) -> None:
    """The tables: drawn on a terminal, Markdown in a pipe."""
    from cmow.evaluation.tables import markdown, notes, tables

    if not sys.stdout.isatty():
        sys.stdout.write(markdown(report, with_paper=with_paper))
        return
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    for table in tables(report, with_paper=with_paper):
        console.print(_drawn(table))
    for note in notes(report):
        console.print(note)


def _drawn(table: "Table") -> object:
    from rich import box
    from rich.table import Table as Drawn

    head, *rows = table.rows
    drawn = Drawn(
        title=table.title, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0)
    )
    for number, name in enumerate(head):
        drawn.add_column(name, justify="left" if number == 0 else "right", no_wrap=number > 0)
    for row in rows:
        drawn.add_row(*row)
    return drawn
