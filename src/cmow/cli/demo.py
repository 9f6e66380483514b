"""`cmow demo`: what the package is about, in a minute and without any download."""

import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Annotated

import typer

from cmow.cli.app import app
from cmow.cli.models import megabytes, size_on_disk

if TYPE_CHECKING:
    from rich.console import Console

    from cmow.encoder import Encoder

SENTENCES = 30_000
UPDATES = 300
MOST_MINUTES = 0.75
SHAPE, SIGMA = "sum(100)+product(10)", 0.05
PARTS = {"cbow": "sum", "cmow": "product"}
PAIRS = (
    ("the dog chased the cat", "the cat chased the dog"),
    ("the dog chased the cat", "a puppy scratched the kitten"),
    ("the dog chased the cat", "the captain steered every boat"),
)
WORDS = ("dog", "chased", "every")
LEAST_SECONDS = 1.0  # of the measurement of speed


@app.command()
def demo(
    model: Annotated[Path, typer.Argument(help="Folder to write.")] = Path("cmow-demo"),
) -> None:
    """Train a small model and show what it can do, in a minute: `cmow demo`."""
    from rich.console import Console

    from cmow.encoder.folder import check_replaceable

    check_replaceable(model)
    console = Console(highlight=False)
    texts = _make_corpus(console)
    encoder = _train(console, texts)
    _show_similarities(console, encoder)
    _show_exercise(console, encoder)
    _show_neighbours(console, encoder)
    _show_speed(console, encoder, texts)
    _save(console, encoder, model)


def _make_corpus(console: "Console") -> list[str]:
    from cmow.grammar import Grammar

    _heading(
        console,
        "1. A corpus",
        f"{SENTENCES:,} sentences of a small generated language, with invented words among the "
        "real ones, so that nothing is downloaded:",
    )
    texts = [sentence.text for sentence in Grammar().sentences(SENTENCES)]
    _examples(console, texts[:3])
    return texts


def _train(console: "Console", texts: Sequence[str]) -> "Encoder":
    from rich import progress as rich

    from cmow.corpus import PrepareSettings
    from cmow.training import Progress, TrainConfig, train

    _heading(
        console,
        "2. A hybrid encoder",
        "Each word has a vector, and vectors are added: blind to order, good at topics. It has a "
        "matrix as well, and matrices are multiplied: there the order counts. Both are trained to "
        "predict a word that is left out of its sentence.",
    )
    config = TrainConfig(
        shape=SHAPE,
        sigma=SIGMA,
        learning_rate=3e-3,
        share_negatives="sentence",
        max_updates=UPDATES,
        max_minutes=MOST_MINUTES,
        validation_updates=UPDATES,
        prepare=PrepareSettings(tokenizer="whitespace", lowercase=False),
    )
    columns = (
        rich.TextColumn("  training"),
        rich.BarColumn(),
        rich.TextColumn("{task.completed:.0f}/{task.total:.0f} updates  {task.fields[state]}"),
    )
    with rich.Progress(*columns, console=console) as bar:
        task = bar.add_task("", total=UPDATES, state="")

        def show(progress: Progress) -> None:
            bar.update(task, completed=progress.update)
            loss, speed = progress.training_loss, progress.windows_per_second
            if progress.is_line and loss is not None:
                bar.update(task, state=f"loss {loss:.2f}  {speed:,.0f} windows/s")

        return train(texts, config, callbacks=[show])


def _show_similarities(console: "Console", encoder: "Encoder") -> None:
    _heading(
        console,
        "3. Sentences alike",
        "The cosine of two sentences. To the sum, the same words in another order are the same; "
        "to the product they are not:",
    )
    rows = []
    for a, b in PAIRS:
        cosines = [encoder.part(name).similarity(a, b) for name in PARTS]
        rows.append((f"{a}\n{b}", *(f"{cosine:.4f}" for cosine in cosines)))
    _table(console, ("sentences", *PARTS.values()), rows)


def _show_exercise(console: "Console", encoder: "Encoder") -> None:
    from cmow.cli import exercise
    from cmow.encoder import Encoder

    one, other = exercise.EXAMPLE
    _heading(
        console,
        "4. Who did it?",
        f'Is it "{one}" or "{other}"? A linear classifier learns to tell from embeddings who does '
        "it to whom, and is asked about nouns that were not in the exercise:",
    )
    untrained = Encoder.initialise(encoder.tokenizer, SHAPE, sigma=SIGMA)
    answers = [(f"the {PARTS[name]}", encoder.part(name)) for name in PARTS]
    answers.append(("the product, before training", untrained.part("cmow")))
    rows = [(name, f"{exercise.accuracy(each):.0%}") for name, each in answers]
    _table(console, ("embeddings", "right answers"), rows)


def _show_neighbours(console: "Console", encoder: "Encoder") -> None:
    _heading(
        console, "5. Words alike", "Words that the vectors, and the matrices, take to be similar:"
    )
    rows = []
    for word in WORDS:
        by_part = (encoder.part(name).most_similar_words(word, count=4) for name in PARTS)
        rows.append((word, *(", ".join(other.word for other in each) for each in by_part)))
    _table(console, ("word", "by the vectors", "by the matrices"), rows)


def _show_speed(console: "Console", encoder: "Encoder", texts: list[str]) -> None:
    count, began = 0, time.perf_counter()
    while (seconds := time.perf_counter() - began) < LEAST_SECONDS:
        encoder.encode(texts)
        count += len(texts)
    _heading(
        console,
        "6. Speed",
        f"{count / seconds:,.0f} sentences a second, from text to embeddings of "
        f"{encoder.dim} numbers.",
    )


def _save(console: "Console", encoder: "Encoder", model: Path) -> None:
    encoder.save(model)
    size = megabytes(size_on_disk(model))
    _heading(console, "7. A model is a folder", f"This one is in {model} ({size}). Now try:")
    cmow, (one, other) = _program(), PAIRS[0]
    _examples(
        console,
        [
            f"{cmow} info {model}",
            f'{cmow} similarity {model} "{one}" "{other}" --part cmow',
            f"{cmow} neighbours {model} cat",
            f"{cmow} grammar 10 | {cmow} encode {model} --format tsv | cut -f 1-8",
            f"{cmow} train corpus.txt model/",
        ],
    )


def _program() -> str:
    """What to type to start this program, which may not be on the path."""
    started = sys.argv[0]
    return started if Path(started).name == "cmow" and not which("cmow") else "cmow"


def _heading(console: "Console", title: str, explanation: str) -> None:
    console.print()
    console.print(title, style="bold")
    console.print(explanation)


def _examples(console: "Console", lines: Iterable[str]) -> None:
    for line in lines:
        console.print(f"  {line}", style="cyan", soft_wrap=True)


def _table(console: "Console", head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    from rich import box
    from rich.table import Table

    table = Table(*head, box=box.SIMPLE_HEAD)
    for row in rows:
        table.add_row(*row)
    console.print(table)
