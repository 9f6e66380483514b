"""Which learning rate a training of 30,000 updates wants, by development data and training folds.

    python bench/rates.py PREPARED --data SENTEVAL [--data PROBING] --models FOLDER

Trains CBOW and the hybrid of our recipe at some rates and keeps the development scores of the
supervised tasks and of BShift: no test score is looked at. Writes results/rates.json and
results/rates.md; trials that they hold already are not done again.
"""

from pathlib import Path
from statistics import fmean
from typing import Any

from measuring import machine, table, write_results
from model_scores import ORDER, development_scores
from trials import Settings, done_trials, known_trials, training_options

from cmow import Encoder, TrainConfig, train
from cmow.corpus import Corpus
from cmow.evaluation import paper_tasks

LOW: Settings = {"learning_rate": 2e-3, "product_rate": 2.5}
TRIALS: dict[str, Settings] = {
    "CBOW, rate 0.002": {"shape": "cbow-784", **LOW},
    "CBOW, rate 0.0035": {"shape": "cbow-784", "learning_rate": 3.5e-3},
    "CBOW, rate 0.005": {"shape": "cbow-784", "learning_rate": 5e-3},
    "hybrid, rate 0.0014, of matrices 0.0049": {"learning_rate": 1.4e-3, "product_rate": 3.5},
    "hybrid, rate 0.002, of matrices 0.005": LOW,
    "hybrid, rate 0.0025, of matrices 0.005, noise words by count to the power of 0.75": {
        "noise_exponent": 0.75
    },
}


def score(encoder: Encoder, data: list[Path]) -> dict[str, float]:
    """All development scores of an encoder."""
    scores = development_scores(encoder, data, [*paper_tasks("supervised"), ORDER])
    return {"validation loss": encoder.training["validation_loss"], **scores}


def rates_table(trials: dict[str, Any], columns: list[str]) -> str:
    """Development scores of all trials, and the mean of the supervised tasks."""
    rows = []
    for name, trial in trials.items():
        scores = trial["scores"]
        shown = {**scores, "mean": fmean(scores[task] for task in paper_tasks("supervised"))}
        rows.append(
            [name, f"{scores['validation loss']:.3f}", *(f"{shown[each]:.1f}" for each in columns)]
        )
    return table(["settings", "validation loss", *columns], rows)


def main() -> None:
    """Train and score all that is new, and write everything."""
    options = training_options(__doc__)

    def scores_of(number: int, settings: Settings) -> dict[str, float]:
        config = TrainConfig.of({"max_updates": 30_000, "validation_updates": 100_000, **settings})
        place = options.models / f"rate-{number}"
        return score(train(options.corpus, config, folder=place, resume=True), options.data)

    trials = done_trials(TRIALS, known_trials("rates"), scores_of)
    sections = [
        f"CBOW/784 and hybrid-1184 by our recipe but for the settings named, 30,000 updates on "
        f"{Corpus.open(options.corpus).tokens:,} tokens, one seed. Accuracy or Pearson's "
        "correlation on development sentences or inner folds; the mean is of the supervised "
        "tasks. Losses with other noise words, and of other models, cannot be compared.",
        rates_table(trials, [*paper_tasks("supervised"), "mean", ORDER]),
    ]
    write_results("rates", "Rates of learning", {"machine": machine(), "trials": trials}, sections)


if __name__ == "__main__":
    main()
