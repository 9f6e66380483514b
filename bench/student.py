"""How many texts a second a student learns from, by the native engine and by PyTorch, in one run.

    python bench/student.py [--quick]

Random texts as long as sentences, and random vectors for a teacher's, so that only the student's
work is counted. Writes results/student.json and results/student.md. Needs torch.
"""

import argparse

import numpy as np
from measuring import machine, table, write_results, zipf_ids

import cmow
from cmow.training import Progress

DIM = 384
WORDS = 30_522
LENGTH = 26  # pieces of words in a sentence
SHAPES = (
    f"mean(sum({DIM}))",
    f"mean(sum({DIM}))+mean(product(16))",
    f"mean(sum({DIM}))+mean(product(16))+mean(windows(12))",
)
THREADS = 2
UPDATES = {"native": 300, "torch": 20}
LINES = 10  # of a run's history; the fastest counts: noise only ever slows down


def random_texts(count: int) -> list[str]:
    """Texts whose words are as unequally frequent as those of a language."""
    rng = np.random.default_rng(0)
    lengths = np.clip(rng.normal(LENGTH, LENGTH / 2, count).astype(np.int64), 2, 120)
    words = [f"w{number}" for number in zipf_ids(rng, int(lengths.sum()), vocabulary=WORDS)]
    ends = np.cumsum(lengths)
    return [" ".join(words[end - length : end]) for end, length in zip(ends, lengths, strict=True)]


def texts_per_second(shape: str, engine: str, texts: list[str], vectors: np.ndarray) -> float:
    """Of the fastest line of a run."""
    rates: list[float] = []

    def note(progress: Progress) -> None:
        if progress.is_line and progress.examples_per_second is not None:
            rates.append(progress.examples_per_second)

    updates = UPDATES[engine]
    settings = {
        **{"shape": shape, "engine": engine, "threads": THREADS, "epochs": None},
        **{"max_updates": updates, "report_updates": updates // LINES},
        **{"validation_updates": 10 * updates, "prepare": {"tokenizer": "whitespace"}},
    }
    cmow.distill(vectors, texts, settings, callbacks=[note])
    return max(rates)


def rates_of(found: dict[str, dict[str, int]]) -> str:
    """A row a shape."""
    rows: list[list[object]] = [
        [f"`{shape}`", f"{each['native']:,}", f"{each['torch']:,}", each["native"] / each["torch"]]
        for shape, each in found.items()
    ]
    return table(["shape", "texts a second", "by PyTorch", "ratio"], rows)


def main() -> None:
    """Measure all shapes, and write everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="few texts, nothing is written")
    options = parser.parse_args()
    texts = random_texts(5_000 if options.quick else 100_000)
    vectors = np.random.default_rng(1).normal(size=(len(texts), DIM)).astype(np.float32)
    found = {}
    for shape in SHAPES:
        native, torch = (texts_per_second(shape, name, texts, vectors) for name in UPDATES)
        found[shape] = {"native": round(native), "torch": round(torch)}
        print(shape, found[shape], flush=True)
    if options.quick:
        return
    sections = [
        f"Texts a second of wall-clock time on {THREADS} threads, {LENGTH} pieces of words a text, "
        f"batches as `cmow distill` has them, vectors of {DIM} numbers.",
        rates_of(found),
    ]
    figures = {"machine": machine("torch"), "texts per second": found}
    write_results("student", "How fast a student learns", figures, sections)


if __name__ == "__main__":
    main()
