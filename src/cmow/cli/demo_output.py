"""What `cmow demo` shows: sentences, commands, tables and bars, in as many columns as there are."""

import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from cmow.encoder import Encoder
    from cmow.evaluation import Report
    from cmow.paper.demo import Material

MOVEMENT = "How far another order of its words moves a sentence; 100 is to another sentence"
BAR = 30  # characters
LONGEST = 150  # characters of a sentence that are shown
ASKS = {
    "Depth": "depth of the tree",
    "BShift": "neighbors swapped?",
    "SubjNum": "subject's number",
    "Tense": "present or past",
    "CoordInv": "clauses swapped?",
    "Length": "number of words",
    "ObjNum": "object's number",
    "TopConst": "its main phrases",
    "SOMO": "a word replaced?",
    "WC": "one of its words",
    "Swap": "neighbors swapped",
    "Reverse": "read backwards",
    "Arguments": "nouns exchanged",
}
CANNOT_TELL = "cannot tell"


def heading(console: "Console", title: str, explanation: str = "") -> None:
    """A title, and some words on what comes."""
    console.print()
    if title:
        console.print(title, style="bold")
    if explanation:
        console.print(explanation)


def sentences(console: "Console", lines: Iterable[str], *, indent: int = 2, mark: str = "") -> None:
    """Lines to be read, broken between words; of a very long one the beginning.

    :param mark: stands before the first word of each, within the indentation
    """
    from rich.text import Text

    for line in lines:
        pieces = Text(_shortened(line)).wrap(console, console.width - indent)
        for number, piece in enumerate(pieces):
            margin = f"{mark if number == 0 else '':<{indent}}"
            console.print(f"{margin}{piece.plain.rstrip()}", style="cyan", soft_wrap=True)


def commands(console: "Console", lines: Iterable[Sequence[object]]) -> None:
    """Commands to be copied as they are: a long one goes on behind a backslash."""
    for words in lines:
        line = " "
        for piece in _pieces(words):
            if len(line) + len(piece) + 3 > console.width and line.strip():
                console.print(f"{line} \\", style="cyan", soft_wrap=True)
                line = "   "
            line += f" {piece}"
        console.print(line, style="cyan", soft_wrap=True)


def _pieces(words: Sequence[object]) -> Iterator[str]:
    """What stays on a line: a word, or an option and its value."""
    option = ""
    for word in map(str, words):
        if word.startswith("-"):
            option = f"{word} "
        else:
            yield option + shlex.quote(word)
            option = ""


def show_tables(console: "Console", report: "Report", material: "Material") -> None:
    """The scores, what guessing would give, and what they do and do not show."""
    from cmow.evaluation import scores_of
    from cmow.paper.demo import CBOW, CMOW, HYBRID, balance, findings, unsolved

    found = findings(report, material.sets)
    rows = {each.task: {**each.scores, "guessing": each.chance} for each in found}
    rows["mean"] = {
        name: fmean(scores[name] for scores in rows.values())
        for name in (*report.models, "guessing")
    }
    _show_table(console, rows)
    for line in (balance(found, HYBRID, (CBOW, CMOW)), *unsolved(found), material.note):
        if line:
            console.print(line)
    if material.reorderings:
        by_model = {name: scores_of(report, name) for name in report.models}
        heading(console, "", MOVEMENT)
        _show_table(
            console,
            {
                task: {name: scores[task] for name, scores in by_model.items()}
                for task in material.reorderings
            },
        )


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
    sentences(console, [drawing.sentence])
    for number, (other, relation) in enumerate(drawing.others):
        sentences(console, [f"{other}  ({relation})"])
        for name, values in by_model.items():
            value = values[number]
            bar(console, name, value / longest, f"{value:.1f}" if value else f"0  {CANNOT_TELL}")


def show_answers(console: "Console", report: "Report", material: "Material") -> None:
    """Bars for how much of some questions the models answer."""
    from cmow.paper.demo import findings

    for found in findings(report, material.sets):
        if not found.question:
            continue
        sentences(console, [f"{found.question}  ({found.task}, guessing {found.chance:.0f})"])
        for name in found.scores:
            if not name.startswith("H-"):
                told = "" if found.knows(name) else f"  {CANNOT_TELL}"
                bar(console, name, found.share(name), f"{found.scores[name]:.1f}{told}")


def bar(console: "Console", name: str, share: float, text: str, *, width: int = 7) -> None:
    """A bar of a share of its greatest length, with a name before and a text behind it."""
    drawn = "█" * round(BAR * share) or ("▏" if share > 0 else "")
    console.print(f"    {name:<{width}} {drawn:<{BAR}} {text}", soft_wrap=True)


def _show_table(console: "Console", rows: "Mapping[str, Mapping[str, float]]") -> None:
    """A row a task, so that all models fit into eighty columns beside what is asked."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0))
    table.add_column("task", no_wrap=True)
    for name in next(iter(rows.values())):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("what is asked", no_wrap=True)
    for task, scores in rows.items():
        table.add_row(task, *(f"{score:.1f}" for score in scores.values()), ASKS.get(task, ""))
    console.print(table)


def _shortened(text: str) -> str:
    if len(text) <= LONGEST:
        return text
    kept = text[:LONGEST]
    return (kept.rpartition(" ")[0] or kept) + " …"
