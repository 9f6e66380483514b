"""How far a command has come through its input: a bar on a terminal, nothing in a pipe."""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

Advance = Callable[[int, int], None]


@contextlib.contextmanager
def shown_progress(files: Sequence[Path], *, visible: bool) -> Iterator[Advance]:
    """A callback that is told how many bytes were read and how many texts they held.

    :param files: what is read; the end is in sight if all are files of known size
    """
    if visible:
        with _bar(_size(files)) as advance:
            yield advance
    else:
        yield lambda *_: None


def _size(files: Sequence[Path]) -> int | None:
    if all(file.is_file() for file in files):
        return sum(file.stat().st_size for file in files)
    return None


@contextlib.contextmanager
def _bar(total: int | None) -> Iterator[Advance]:
    from rich import progress as rich
    from rich.console import Console

    columns = (
        rich.BarColumn(),
        rich.DownloadColumn(),
        rich.TextColumn("{task.fields[count]:,} texts"),
        rich.TimeRemainingColumn(),
    )
    with rich.Progress(*columns, console=Console(stderr=True), transient=True) as display:
        task, count = display.add_task("", total=total, count=0), 0

        def advance(read: int, texts: int) -> None:
            nonlocal count
            count += texts
            display.update(task, advance=read, count=count)

        yield advance
