"""Negatives for each sentence against negatives for each window: what does the speed cost?

    python bench/negatives.py PREPARED [--updates 1000]

Trains a hybrid with negatives for each window, and with negatives for each sentence for as many
updates and for twice as many, which take about the same time; all from the same start. The
validation loss has the same expectation for both. Writes results/negatives.json and
results/negatives.md.
"""

import argparse
from pathlib import Path
from typing import Any

from measuring import machine, table, write_results

from cmow import TrainConfig, train
from cmow.corpus import Corpus


def main() -> None:
    """Train all and write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path, help="a prepared corpus")
    parser.add_argument("--updates", type=int, default=1000)
    parser.add_argument("--learning-rate", type=float, default=3e-3)
    arguments = parser.parse_args()

    runs: dict[str, Any] = {}
    rows: list[list[Any]] = []
    for share, times in (("window", 1), ("sentence", 1), ("sentence", 2)):
        updates = times * arguments.updates
        config = TrainConfig(
            share_negatives=share,
            learning_rate=arguments.learning_rate,
            max_updates=updates,
            validation_updates=updates,
        )
        reports: list[Any] = []
        encoder = train(arguments.corpus, config, callbacks=[reports.append])
        loss, minutes = encoder.training["validation_loss"], reports[-1].seconds / 60
        runs[f"{share}, {updates} updates"] = {"validation loss": loss, "minutes": minutes}
        rows.append([f"per {share}", updates, f"{loss:.3f}", f"{minutes:.1f}"])
        print(*rows[-1], flush=True)
    corpus = Corpus.open(arguments.corpus)
    sections = [
        f"Hybrid-800 at a learning rate of {arguments.learning_rate:g} on a corpus of "
        f"{corpus.tokens:,} tokens, otherwise the paper's settings; validation loss on held-out "
        "sentences, one seed.",
        table(["negatives", "updates", "validation loss", "minutes"], rows),
    ]
    figures = {"machine": machine(), "updates": arguments.updates, "runs": runs}
    write_results("negatives", "Negatives for each sentence or each window", figures, sections)


if __name__ == "__main__":
    main()
