"""Negatives for each sentence against negatives for each window: is the quality the same?

    python bench/negatives.py PREPARED [--updates 1000] [--models FOLDER]

Trains a hybrid both ways, from the same start on the same windows, for the same number of updates,
with two seeds. The validation loss has the same expectation for both. Writes results/negatives.json
and results/negatives.md; --models keeps the encoders, for 'cmow evaluate'.
"""

import argparse
import itertools
import tempfile
from pathlib import Path
from typing import Any

from measuring import machine, table, write_results

from cmow import TrainConfig, train
from cmow.corpus import Corpus

SEEDS = (0, 1)
SHARES = ("window", "sentence")


def main() -> None:
    """Train all and write the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path, help="a prepared corpus")
    parser.add_argument("--updates", type=int, default=1000)
    parser.add_argument("--learning-rate", type=float, default=3e-3)
    parser.add_argument("--models", type=Path, help="folder for the encoders")
    arguments = parser.parse_args()

    runs: dict[str, Any] = {}
    rows: list[list[Any]] = []
    with tempfile.TemporaryDirectory() as temporary:
        models = arguments.models or Path(temporary)
        for seed, share in itertools.product(SEEDS, SHARES):
            config = TrainConfig(
                share_negatives=share,
                seed=seed,
                learning_rate=arguments.learning_rate,
                max_updates=arguments.updates,
                validation_updates=arguments.updates,
            )
            name = f"{share}-{seed}"
            encoder = train(arguments.corpus, config, folder=models / name)
            loss = encoder.training["validation_loss"]
            runs[name] = {"validation loss": loss}
            rows.append([f"negatives per {share}", f"seed {seed}", f"{loss:.4f}"])
            print(*rows[-1], flush=True)
    corpus = Corpus.open(arguments.corpus)
    sections = [
        f"Hybrid-800, {arguments.updates:,} updates at a learning rate of "
        f"{arguments.learning_rate:g} on a corpus of {corpus.tokens:,} tokens, otherwise the "
        "paper's settings; validation loss on the same held-out windows.",
        table(["negatives", "seed", "validation loss"], rows),
    ]
    figures = {"machine": machine(), "updates": arguments.updates, "runs": runs}
    write_results("negatives", "Negatives for each sentence or each window", figures, sections)


if __name__ == "__main__":
    main()
