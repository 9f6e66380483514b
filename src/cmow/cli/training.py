"""The progress of training: one live display on a terminal, a line now and then in a pipe."""

import contextlib
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderResult
    from rich.text import Text

    from cmow.training import Progress

SECONDS_BETWEEN_LINES = 30.0
BARS = "▁▂▃▄▅▆▇█"
EDGE = 20  # columns in front of the curve
HIGHEST = 0.9  # share of the losses that the curve has room for: the first ones are far above


@contextlib.contextmanager
def shown_training(first: Callable[[], None]) -> "Iterator[Callable[[Progress], None]]":
    """A callback for training that shows on stderr how it goes; the history has all of it.

    :param first: what to do before anything is shown, such as to remove another display
    """
    if sys.stderr.isatty():
        with _live(first) as show:
            yield show
    else:
        yield _lines()


def line(progress: "Progress") -> str:
    """One update in words and numbers."""
    parts = [f"{progress.run}:"] if progress.run else []
    parts.append(f"update {_updates(progress, '/')}")
    if progress.training_loss is not None:  # there were examples since the last line
        parts.append(f"loss {_number(progress.training_loss)}")
    parts.append(f"validation {_number(progress.validation_loss)}{'*' * progress.validated}")
    if progress.examples_per_second is not None:
        parts.append(_speed(progress))
    if progress.seconds_left is not None:
        parts.append(f"{_time(progress.seconds_left)} left")
    return "  ".join(parts)


def _lines() -> "Callable[[Progress], None]":
    """Writes the first line, those of validations, and others now and then."""
    last = -SECONDS_BETWEEN_LINES

    def show(progress: "Progress") -> None:
        nonlocal last
        now = time.monotonic()
        if progress.is_line and (progress.validated or now - last >= SECONDS_BETWEEN_LINES):
            last = now
            sys.stderr.write(line(progress) + "\n")
            sys.stderr.flush()

    return show


@contextlib.contextmanager
def _live(first: Callable[[], None]) -> "Iterator[Callable[[Progress], None]]":
    from rich.console import Console
    from rich.live import Live

    display = Display()
    live = Live(display, console=Console(stderr=True, highlight=False), refresh_per_second=4)

    def show(progress: "Progress") -> None:
        display.add(progress)
        if not live.is_started:
            first()
            live.start()

    try:
        yield show
    finally:
        live.stop()


@dataclass
class Display:
    """Bar, curve of the loss, validation, speed and time left, of a run that is going on."""

    latest: "Progress | None" = None
    reported: "Progress | None" = None  # whose loss and speed are means of many updates
    losses: list[float] = field(default_factory=list)
    best: tuple[float, int] | None = None  # validation loss and update

    def add(self, progress: "Progress") -> None:
        """Take note of an update; those of another run start anew."""
        if self.latest is not None and progress.run != self.latest.run:
            self.reported, self.best, self.losses = None, None, []
        self.latest = progress
        if progress.is_line and progress.training_loss is not None:
            self.losses.append(progress.training_loss)
            self.reported = progress
        loss = progress.validation_loss
        if progress.validated and loss is not None and (not self.best or loss < self.best[0]):
            self.best = loss, progress.update

    def __rich_console__(self, console: "Console", options: "ConsoleOptions") -> "RenderResult":
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        if self.latest is None:
            return
        progress, reported = self.latest, self.reported or self.latest
        share = _share(progress)
        bar = Table.grid(padding=(0, 2, 0, 0), expand=True)
        bar.add_column(ratio=1)
        bar.add_column(justify="right", no_wrap=True)
        shown = "until it gets no better" if share is None else f"{share:.0%}"
        left = None if share == 1 else progress.seconds_left
        bar.add_row(
            ProgressBar(1.0, share or 0.0, pulse=share is None),
            shown if left is None else f"{shown}  {_time(left)} left",
        )
        yield bar
        yield _row("loss", reported.training_loss, sparkline(self.losses, options.max_width - EDGE))
        best = "" if self.best is None else f"best {self.best[0]:.4f} at update {self.best[1]:,}"
        yield _row("validation", progress.validation_loss, best)
        facts = [
            progress.run,
            f"update {_updates(progress, ' of ')}",
            f"epoch {progress.epoch:.2f}",
            _speed(reported),
            f"rate {progress.learning_rate:.1e}",
        ]
        yield Text(" · ".join(filter(None, facts)), style="dim", no_wrap=True, overflow="ellipsis")


def sparkline(values: Sequence[float], width: int) -> str:
    """Values as bars, as many as there is room for, each the mean of its neighbors."""
    if not values or width < 1:
        return ""
    count = min(width, len(values))
    edges = [len(values) * place // count for place in range(count + 1)]
    means = [sum(values[begin:end]) / (end - begin) for begin, end in pairwise(edges)]
    low, high = min(means), sorted(means)[int(HIGHEST * (count - 1))]
    steps = [(len(BARS) - 1) * (mean - low) / ((high - low) or 1.0) for mean in means]
    return "".join(BARS[min(round(step), len(BARS) - 1)] for step in steps)


def _share(progress: "Progress") -> float | None:
    """How much of the run is behind, by updates or by the clock, whichever is further."""
    shares = []
    if progress.updates:
        shares.append(progress.update / progress.updates)
    if progress.seconds_left is not None:
        shares.append(progress.seconds / max(progress.seconds + progress.seconds_left, 1e-9))
    return min(max(shares), 1.0) if shares else None


def _row(name: str, loss: float | None, more: str) -> "Text":
    from rich.text import Text

    number = Text(f"{_number(loss):<8}", style="bold")
    return Text.assemble(f"{name:<10} ", number, " ", (more, "cyan"), no_wrap=True)


def _updates(progress: "Progress", between: str) -> str:
    total = "" if progress.updates is None else f"{between}{progress.updates:,}"
    return f"{progress.update:,}{total}"


def _speed(progress: "Progress") -> str:
    speed = progress.examples_per_second
    return "" if speed is None else f"{speed:,.0f} {progress.unit}/s"


def _number(loss: float | None) -> str:
    return "-" if loss is None else f"{loss:.4f}"


def _time(seconds: float) -> str:
    minutes = int(seconds) // 60
    return f"{minutes // 60}:{minutes % 60:02}:{int(seconds) % 60:02}"
