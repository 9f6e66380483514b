"""What spans of a document save, against encoding each anew.

    python bench/spans.py

Windows of 32 words at stride 1, on one thread. Writes results/spans.json and results/spans.md.
"""

import argparse
from typing import Any

import numpy as np
from measuring import VOCABULARY, best_rate, machine, table, write_results, zipf_ids

from cmow import Encoder, load
from cmow.text import Tokenizer, Vocabulary

SHAPES = ("cbow-784", "cmow-400", "cmow-784", "hybrid-1184", "mean(sum(256))+mean(windows(16))")
WIDTH = 32


SHIPPED = "the English model"


def made(shape: str) -> tuple[Encoder, list[str]]:
    """An encoder and words that are a token each."""
    if shape == SHIPPED:
        encoder = load()
        return encoder, [
            word for word in encoder.vocabulary.words if word.isalpha() and len(word) > 3
        ]
    words = [f"w{number}" for number in range(VOCABULARY)]
    return Encoder.initialize(Tokenizer.whitespace(Vocabulary(words)), shape), words


def rates(length: int) -> list[list[Any]]:
    """Windows a second by shape, both ways."""
    rows: list[list[Any]] = []
    for shape in (*SHAPES, SHIPPED):
        encoder, words = made(shape)
        drawn = zipf_ids(np.random.default_rng(0), length, vocabulary=len(words))
        text = [words[number] for number in drawn]
        ids = encoder.tokenizer.ids([" ".join(text)]).flat
        document = encoder.document(text)
        begins, ends = document.window_places(WIDTH)
        offsets = np.arange(0, len(begins) * WIDTH + 1, WIDTH)
        flat = np.concatenate([ids[a:b] for a, b in zip(begins, ends, strict=True)])
        anew = encoder.encode_ids(flat, offsets, threads=1)
        moved = document.windows(WIDTH, threads=1)
        scale = np.abs(anew).max(axis=1, keepdims=True)
        worst = float((np.abs(anew - moved) / scale).max())
        count = len(begins)
        plain = best_rate(
            lambda encoder=encoder, flat=flat, offsets=offsets: encoder.encode_ids(
                flat, offsets, threads=1
            ),
            count,
            tries=3,
        ).cpu
        texts = [" ".join(text[a:b]) for a, b in zip(begins, ends, strict=True)]
        from_text = best_rate(
            lambda encoder=encoder, texts=texts: encoder.encode(texts, threads=1), count, tries=3
        ).cpu
        sliding = best_rate(
            lambda document=document: document.windows(WIDTH, threads=1), count, tries=3
        ).cpu
        appended = best_rate(
            lambda encoder=encoder, text=text: encoder.document(text), length, tries=2
        ).cpu
        ratios = [sliding / plain, sliding / from_text]
        rows.append([shape, plain, from_text, sliding, *ratios, appended, f"{worst:.1e}"])
    return rows


def main() -> None:
    """Measure and write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--length", type=int, default=20_000, help="words of the document")
    options = parser.parse_args()
    found = rates(options.length)
    sections = [
        f"Windows of {WIDTH} words at stride 1 of a document of {options.length:,}, for each "
        "CPU-second of one thread: encoded anew from ids and from text, and as spans of the "
        "document; the words a second by which a document is made; and the largest difference of "
        "the two, relative to the largest number of the embedding.",
        table(
            [
                "model",
                "from ids",
                "from text",
                "as spans",
                "ratio to ids",
                "ratio to text",
                "words made",
                "largest difference",
            ],
            found,
        ),
    ]
    write_results("spans", "Spans of documents", {"machine": machine(), "rates": found}, sections)


if __name__ == "__main__":
    main()
