"""Fills the README's figures from the results of the benchmarks: python bench/figures.py."""

import json
import re
from pathlib import Path
from typing import Any

from measuring import RESULTS, table

README = Path(__file__).parent.parent / "README.md"
BLOCK = re.compile(r"(?<=<!-- figures -->\n).*(?=<!-- /figures -->)", re.DOTALL)


def encoding(figures: dict[str, Any]) -> str:
    """Sentences a second from strings, against the peers."""
    rows = [
        [name, rate["one thread, per CPU-second"], rate["hybrid-800 is faster by"]]
        for name, rate in figures["from strings"].items()
    ]
    header = ["from strings of 25 words", "sentences per CPU-second", "hybrid-800 is faster by"]
    return table(header, rows)


def training(figures: dict[str, Any]) -> str:
    """Windows a second, against the original's formulation."""
    rows = [
        [name, rate["original"], rate["native"], rate["ratio"]]
        for name, rate in figures["windows per second"].items()
    ]
    header = ["training windows a second, two threads", "original in PyTorch", "cmow", "ratio"]
    return table(header, rows)


def block() -> str:
    """Both tables, each with its machine and where it comes from."""
    parts = []
    for name, make in (("encode", encoding), ("train", training)):
        figures = json.loads((RESULTS / f"{name}.json").read_text())
        about = figures["machine"]
        source = (
            f"Measured on {about['date']} with `python bench/{name}.py` on {about['cores']} cores "
            f"({about['cpu']}, {about['instruction level']}); more in "
            f"[results/{name}.md](results/{name}.md)."
        )
        parts.append(f"{make(figures)}\n\n{source}\n")
    return "\n".join(parts)


if __name__ == "__main__":
    README.write_text(BLOCK.sub(lambda _: block(), README.read_text()))
