"""What `cmow demo` shows: examples, tables and bars."""

from collections.abc import Iterable, Mapping
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from cmow.encoder import Encoder
    from cmow.evaluation import Report, Table
    from cmow.paper.demo import Material

MOVEMENT = "How far another order moves a sentence; 100: to another sentence"
BAR = 30  # characters
COLUMNS_AT_ONCE = 6  # of a table too wide for the terminal


def heading(console: "Console", title: str, explanation: str) -> None:
    """A title, and some words on what comes."""
    console.print()
    if title:
        console.print(title, style="bold")
    if explanation:
        console.print(explanation)


def examples(console: "Console", lines: Iterable[object]) -> None:
    """Lines to be read or copied as they are."""
    for line in lines:
        console.print(f"  {line}", style="cyan", soft_wrap=True)


def show_examples(console: "Console", material: "Material") -> None:
    """The first sentences."""
    examples(console, material.training[:3])


def show_tables(console: "Console", report: "Report", material: "Material") -> None:
    """The scores, what guessing would give, and what they do and do not show."""
    from cmow.evaluation import tables_of
    from cmow.paper.demo import CBOW, CMOW, HYBRID, balance, findings, unsolved

    found = findings(report, material.sets)
    probing, *others = tables_of(report)
    guessing = {each.task: f"{each.chance:.1f}" for each in found}
    guessing["mean"] = f"{fmean(each.chance for each in found):.1f}"
    head = probing.rows[0]
    rows = [row for row in probing.rows if not row[0].startswith("cmp. H-")]
    rows.append(["guessing", *(guessing[task] for task in head[1:])])
    _show_table(console, probing._replace(rows=rows))
    for line in (balance(found, HYBRID, (CBOW, CMOW)), *unsolved(found), material.note):
        if line:
            console.print(line)
    if material.reorderings:
        order = others[0]
        rows = [row for row in order.rows if not row[0].startswith("cmp. ")]
        console.print()
        _show_table(console, order._replace(title=MOVEMENT, rows=rows))


def show_distances(
    console: "Console", models: "Mapping[str, Encoder]", material: "Material"
) -> None:
    """Bars for the distances of a few sentences."""
    from cmow.evaluation import Normalized
    from cmow.paper.demo import NORMALIZATION, distances_from

    drawing = material.drawing
    by_model = {
        name: distances_from(
            drawing, Normalized(encoder, NORMALIZATION), sentences=material.sentences
        )
        for name, encoder in models.items()
    }
    longest = max(1.0, *(value for values in by_model.values() for value in values))
    console.print(f"  {drawing.sentence}", style="cyan")
    for number, (other, relation) in enumerate(drawing.others):
        console.print(f"  {other}  ({relation})", style="cyan")
        for name, values in by_model.items():
            value = values[number]
            told = f"{value:.1f}" if value else "0  cannot tell"
            _bar(console, name, value / longest, told)


def show_answers(console: "Console", report: "Report", material: "Material") -> None:
    """Bars for how much of some questions the models answer."""
    from cmow.paper.demo import findings

    for found in findings(report, material.sets):
        if not found.question:
            continue
        asked = f"  {found.question}  ({found.task}, guessing {found.chance:.0f})"
        console.print(asked, style="cyan")
        for name in found.scores:
            if not name.startswith("H-"):
                told = "" if found.knows(name) else "  cannot tell"
                _bar(console, name, found.share(name), f"{found.scores[name]:.1f}{told}")


def _bar(console: "Console", name: str, share: float, text: str) -> None:
    full = "█" * round(BAR * share)
    bar = full or ("▏" if share > 0 else "")
    console.print(f"    {name:<7}{bar:<{BAR}} {text}", soft_wrap=True)


def _show_table(console: "Console", table: "Table") -> None:
    """In one piece if the terminal is wide enough, else in pieces of a few columns."""
    from cmow.cli.evaluation_output import drawn

    whole = drawn(table)
    unlimited = console.options.update(max_width=1_000)
    if console.measure(whole, options=unlimited).maximum <= console.width:
        console.print(whole)
        return
    for start in range(1, len(table.rows[0]), COLUMNS_AT_ONCE):
        rows = [[row[0], *row[start : start + COLUMNS_AT_ONCE]] for row in table.rows]
        console.print(drawn(table._replace(rows=rows, title=table.title if start == 1 else "")))
