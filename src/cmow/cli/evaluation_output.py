"""The tables that `cmow evaluate` shows."""

import sys
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from rich.console import Console

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
        show_table(console, table)
    for note in notes_of(report):
        console.print(note)


def show_table(console: "Console", table: "Table") -> None:
    """A table for the terminal, below a title that may be wider."""
    from rich import box
    from rich.table import Table as Drawn

    head, *rows = table.rows
    drawn = Drawn(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    for number, name in enumerate(head):
        justify: Literal["left", "right"] = "left" if number == 0 or name == "score" else "right"
        drawn.add_column(name, justify=justify, no_wrap=number > 0)
    for row in rows:
        drawn.add_row(*row)
    console.print(table.title, style="bold")
    console.print(drawn)
