"""The progress of several models: bars on a terminal, plain lines in a pipe."""

import contextlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import TaskID

    from cmow.training import Progress

Show = Callable[[str, "Progress"], None]


@contextlib.contextmanager
def shown_models(console: "Console") -> Iterator[Show]:
    """A callback that is told the name of a model and how far its training has come."""
    if console.is_terminal:
        with _bars(console) as show:
            yield show
    else:

        def show_line(name: str, progress: "Progress") -> None:
            if progress.is_line:
                console.print(f"  {name:<7}{_state(progress)}", soft_wrap=True)

        yield show_line


@contextlib.contextmanager
def _bars(console: "Console") -> Iterator[Show]:
    from rich import progress as rich

    columns = (
        rich.TextColumn("  {task.description:<7}"),
        rich.BarColumn(bar_width=20),
        rich.TextColumn("{task.fields[state]}"),
    )
    with rich.Progress(*columns, console=console) as bars:
        tasks: dict[str, TaskID] = {}

        def show(name: str, progress: "Progress") -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=progress.updates, state="")
            bars.update(tasks[name], completed=progress.update)
            if progress.is_line:
                bars.update(tasks[name], state=_state(progress))

        yield show


def _state(progress: "Progress") -> str:
    loss = "" if progress.training_loss is None else f"  loss {progress.training_loss:.2f}"
    speed = progress.examples_per_second
    shown = "" if speed is None else f"  {speed:,.0f} {progress.unit}/s"
    return f"{progress.update:>5,} updates{loss}{shown}"
