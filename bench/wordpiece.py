"""How fast texts become pieces of words, natively and by the tokenizers library.

    python bench/wordpiece.py TOKENIZER TEXT

TOKENIZER is a tokenizer.json of a BERT, TEXT has a sentence a line. Writes results/wordpiece.json
and results/wordpiece.md.
"""

import argparse
import json
import os
from itertools import cycle, islice
from pathlib import Path
from typing import Any

os.environ["TOKENIZERS_PARALLELISM"] = "false"

import tokenizers
from measuring import best_rate, machine, table, write_results

from cmow.text import Tokenizer

SENTENCES = 20_000
BLOCK = 1000  # the library is slower with more at once, for the objects it makes
SCRIPTS = (
    "Der Zug nach Köln fährt früh über die große Brücke, wie schön!",
    "À Noël, l’été paraît loin : où êtes-vous donc passés ?",
    "Быстрая лиса перепрыгнула через ленивую собаку.",
    "Hà Nội là thủ đô của nước Việt Nam.",
    "東京は日本の首都で、人口が最も多い都市です。",
    "敏捷的棕色狐狸跳过了懒狗。",
    "서울은 대한민국의 수도이다.",
    "القاهرة هي عاصمة مصر وأكبر مدنها.",
    "नई दिल्ली भारत की राजधानी है।",
)


def rates(file: Path, texts: list[str]) -> dict[str, float]:
    """Sentences for each CPU-second of one thread, by either way, and how they compare."""
    native = Tokenizer.from_file(file)
    library = tokenizers.Tokenizer.from_file(str(file))
    library.no_padding()
    library.no_truncation()

    def by_library() -> None:
        for start in range(0, len(texts), BLOCK):
            library.encode_batch_fast(texts[start : start + BLOCK], add_special_tokens=False)

    fast = best_rate(lambda: native.ids(texts, threads=1), len(texts)).cpu
    slow = best_rate(by_library, len(texts)).cpu
    return {"tokenizers": slow, "cmow": fast, "ratio": fast / slow}


def main() -> None:
    """Measure and write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tokenizer", type=Path)
    parser.add_argument("text", type=Path)
    arguments = parser.parse_args()
    with arguments.text.open(encoding="utf-8") as lines:
        texts = [line.strip() for line in islice(lines, SENTENCES)]
    found = {
        "the text": rates(arguments.tokenizer, texts),
        "the text, of ASCII alone": rates(arguments.tokenizer, list(filter(str.isascii, texts))),
        "nine scripts": rates(arguments.tokenizer, list(islice(cycle(SCRIPTS), SENTENCES))),
    }
    pieces = len(json.loads(arguments.tokenizer.read_text("utf-8"))["model"]["vocab"])
    characters = sum(map(len, texts)) / len(texts)
    rows: list[list[Any]] = [[name, *of.values()] for name, of in found.items()]
    sections = [
        f"Sentences for each CPU-second of one thread, from strings to ids; {pieces:,} pieces; "
        f"{SENTENCES:,} sentences, those of the text of {characters:.0f} characters on average.",
        table(["sentences", "tokenizers", "cmow", "ratio"], rows),
    ]
    figures = {"machine": machine("tokenizers"), "pieces": pieces, "sentences per second": found}
    write_results("wordpiece", "Pieces of words", figures, sections)


if __name__ == "__main__":
    main()
