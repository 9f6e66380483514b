"""The tables that `cmow evaluate` shows."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.table import Table as Drawn

    from cmow.evaluation import Report, Table


def write_report(report: "Report", *, with_paper: bool) -> None:
    """The tables: drawn on a terminal, Markdown in a pipe."""
    from cmow.evaluation import markdown, notes_of, tables_of

    if not sys.stdout.isatty():
        sys.stdout.write(markdown(report, with_paper=with_paper))
        return
    from rich.console import Console

    console = Console(highlight=False, markup=False)
    for table in tables_of(report, with_paper=with_paper):
        console.print(drawn(table))
    for note in notes_of(report):
        console.print(note)


def drawn(table: "Table") -> "Drawn":
    """A table for the terminal."""
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
