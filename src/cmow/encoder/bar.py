"""A bar of progress that a caller asks for."""

from collections.abc import Iterable, Iterator

from cmow.text import Ids


def shown(blocks: Iterable[Ids], total: int | None) -> Iterator[Ids]:
    """The same blocks of texts, with a bar on the terminal's error output, and none in a pipe."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    seen = console.is_terminal or console.is_jupyter
    with Progress(console=console, transient=True, disable=not seen) as display:
        task = display.add_task("encode", total=total)
        for ids in blocks:
            yield ids
            display.advance(task, len(ids.offsets) - 1)
