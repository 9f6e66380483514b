"""How fast text becomes ids on disk.

    python bench/prepare.py TEXT

TEXT has white-space separated tokens, a sentence a line. Writes results/prepare.json and
results/prepare.md.
"""

import argparse
import tempfile
from pathlib import Path

from measuring import best_rate, machine, table, write_results

from cmow.corpus import PrepareSettings, prepare

TOKENIZERS = ("whitespace", "words")


def rate(text: Path, tokenizer: str) -> float:
    """Tokens in the vocabulary, a second of wall-clock time on all cores."""
    settings = PrepareSettings(tokenizer=tokenizer)

    def work() -> int:
        with tempfile.TemporaryDirectory() as folder:
            return prepare([text], Path(folder) / "prepared", settings).tokens

    return best_rate(work, work(), tries=2).wall


def main() -> None:
    """Measure and write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", type=Path)
    text = parser.parse_args().text
    rates = {tokenizer: rate(text, tokenizer) for tokenizer in TOKENIZERS}
    size = text.stat().st_size / 1e6
    sections = [
        f"A text of {size:,.0f} MB, the files' pages in memory, by wall clock on all cores.",
        table(["tokenizer", "tokens a second"], [[name, each] for name, each in rates.items()]),
    ]
    figures = {"machine": machine(), "megabytes": size, "tokens per second": rates}
    write_results("prepare", "Preparation speed", figures, sections)


if __name__ == "__main__":
    main()
