"""What each kind of part gives in minutes, by development data and training folds alone.

    python bench/parts.py PREPARED --data SENTEVAL [--data PROBING] --models FOLDER

Trains encoders of a sum and matrices by our recipe, all for as many updates, and scores them as
bench/recipes.py does: no test score is looked at. Writes results/parts.json and results/parts.md;
trials that they hold already are not done again.
"""

from typing import Any

from measuring import machine, table, write_results
from recipes import score
from trials import Settings, done_trials, known_trials, training_options

from cmow import TrainConfig, train
from cmow.corpus import Corpus
from cmow.encoder import Shape
from cmow.evaluation import TASKS, DataFolder
from cmow.evaluation.tasks.benchmark import read_benchmark

UPDATES = 7200
TRIALS: dict[str, Settings] = {
    name: {"shape": shape, "max_updates": UPDATES}
    for name, shape in {
        "product": "sum(400)+product(20)",
        "reversed": "sum(400)+reversed(20)",
        "windows": "sum(400)+windows(20)",
        "product of 28": "sum(400)+product(28)",
        "product and reversed (bidirectional)": "sum(400)+product(20)+reversed(20)",
        "product and windows": "sum(400)+product(20)+windows(20)",
    }.items()
}


def parts_table(trials: dict[str, Any], columns: list[str]) -> str:
    """Development scores of all trials."""
    return table(
        ["beside the sum", "numbers", *columns],
        [
            [
                name,
                str(Shape.parse(trial["settings"]["shape"]).dim),
                *(f"{trial['scores'][column]:.2f}" for column in columns),
            ]
            for name, trial in trials.items()
        ],
    )


def main() -> None:
    """Train and score all that is new, and write everything."""
    options = training_options(__doc__)
    data = DataFolder(options.data)
    training, development, _ = read_benchmark(data)
    pairs = {"train": training, "dev": development, "SICK": TASKS["SICK-R"].read(data)[0]}

    def scores_of(number: int, settings: Settings) -> dict[str, float]:
        config = TrainConfig.of({"validation_updates": 100_000, **settings})
        place = options.models / f"parts-{number}"
        return score(train(options.corpus, config, folder=place, resume=True), data, pairs)

    trials = done_trials(TRIALS, known_trials("parts"), scores_of)
    columns = list(next(iter(trials.values()))["scores"])
    sections = [
        f"A sum of 400 and matrices by our recipe, {UPDATES:,} updates on "
        f"{Corpus.open(options.corpus).tokens:,} tokens, one seed. Cosine: mean of Pearson's "
        "correlations on the training and development pairs of STS-B and the training pairs of "
        "SICK. The others: accuracy on development sentences or inner folds.",
        parts_table(trials, columns),
    ]
    write_results("parts", "Kinds of parts", {"machine": machine(), "trials": trials}, sections)


if __name__ == "__main__":
    main()
