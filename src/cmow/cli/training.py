"""The progress of training: a live line on a terminal, plain lines in a pipe."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cmow.training import Progress


@contextlib.contextmanager
def shown_training(first: Callable[[], None]) -> "Iterator[Callable[[Progress], None]]":
    """A callback for training that shows on stderr how it goes.

    :param first: what to do before anything is shown, such as to remove another display
    """
    if sys.stderr.isatty():
        with _live(first) as show:
            yield show
    else:
        yield _line


def line(progress: "Progress") -> str:
    """One update in words and numbers."""
    total = "" if progress.updates is None else f"/{progress.updates:,}"
    parts = [
        f"update {progress.update:,}{total}",
        f"epoch {progress.epoch:.2f}",
        f"validation {_number(progress.validation_loss)}{'*' if progress.validated else ''}",
        f"rate {progress.learning_rate:.2e}",
        f"{progress.tokens:,} tokens",
        f"left {_time(progress.seconds_left)}",
    ]
    if progress.training_loss is not None:  # there were examples since the last line
        parts.insert(2, f"loss {_number(progress.training_loss)}")
        parts.insert(5, f"{progress.examples_per_second:,.0f} {progress.unit}/s")
    return "  ".join(parts)


def _line(progress: "Progress") -> None:
    if progress.is_line:
        sys.stderr.write(line(progress) + "\n")
        sys.stderr.flush()


@contextlib.contextmanager
def _live(first: Callable[[], None]) -> "Iterator[Callable[[Progress], None]]":
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(stderr=True)
    live = Live(console=console, refresh_per_second=4, transient=True)

    def show(progress: "Progress") -> None:
        if not live.is_started:
            first()
            live.start()
        if progress.is_line:
            console.print(Text(line(progress)))
        live.update(Text(line(progress), style="dim"))

    try:
        yield show
    finally:
        live.stop()


def _number(loss: float | None) -> str:
    return "-" if loss is None else f"{loss:.4f}"


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    minutes = int(seconds) // 60
    return f"{minutes // 60}:{minutes % 60:02}:{int(seconds) % 60:02}"
