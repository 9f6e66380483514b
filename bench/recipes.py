"""What each setting of training is worth, by development data and training folds alone.

    python bench/recipes.py PREPARED --cased PREPARED --data SENTEVAL [--data PROBING]
        --models FOLDER --reproduced FOLDER

Trains a hybrid for each line of TRIALS, all for about the same time, and scores it on the
training and development pairs of STS-B and the training pairs of SICK by cosine, and on the
development sentences or inner folds of some classification tasks: no test score is looked at.
Writes results/recipes.json and results/recipes.md; trials that they hold already are not done
again. The models of LONG are trained before, by `cmow reproduce` (examples/recipe.toml and
examples/hour.toml) or by `cmow train` with the settings that results/recipes.json has of them; its
scores stand where a model was removed.
"""

import argparse
from pathlib import Path
from statistics import fmean

from measuring import machine, table, write_results
from trials import Settings, done_trials, known_trials

from cmow import Encoder, TrainConfig, load, train
from cmow.corpus import Corpus
from cmow.evaluation import TASKS, DataFolder, evaluate
from cmow.evaluation.correlation import pearson
from cmow.evaluation.sentences import Pairs
from cmow.evaluation.tasks.benchmark import read_benchmark
from cmow.evaluation.tasks.similarity import cosine

CLASSIFICATION = ("TREC", "SST5", "MRPC", "SICK-E", "CR", "BShift")
WINDOW: Settings = {"max_updates": 1000}
LINEAR: Settings = {"schedule": "linear"}
A: Settings = {
    **LINEAR,
    "learning_rate": 3e-3,
    "share_negatives": "sentence",
    "max_updates": 1800,
}
B: Settings = {**A, "learning_rate": 5e-3, "sigma": 0.02}
C: Settings = {**B, "batch_sentences": 256, "adam": "lazy", "max_updates": 7200}
CASED: Settings = {"lowercase": False}
TRIALS: dict[str, Settings] = {
    "the paper's settings": WINDOW,
    "rate 3e-3": {**WINDOW, "learning_rate": 3e-3},
    "rate 3e-3, linear decay": {**WINDOW, **LINEAR, "learning_rate": 3e-3},
    "rate 3e-3, linear decay, noise words per sentence: A": A,
    "A, σ = 0.05": {**A, "sigma": 0.05},
    "A, σ = 0.05, rate 1e-2": {**A, "sigma": 0.05, "learning_rate": 1e-2},
    "A, σ = 0.05, rate 3e-2": {**A, "sigma": 0.05, "learning_rate": 3e-2},
    "A, σ = 0.05, rate 1e-2, subsampling by 1e-3": {
        **A,
        "sigma": 0.05,
        "learning_rate": 1e-2,
        "subsample": 1e-3,
    },
    "A, σ = 0.02, rate 5e-3: B": B,
    "B, vectors of 784 beside the matrices": {
        **B,
        "shape": "sum(784)+product(20)",
        "max_updates": 1450,
    },
    "B, capital letters kept": {**B, "prepare": CASED},
    "B, batches of 256 and lazy Adam: C": C,
    "C, rate 3e-3": {**C, "learning_rate": 3e-3},
    "C, rate 3e-3, batches of 128": {
        **C,
        "learning_rate": 3e-3,
        "batch_sentences": 128,
        "max_updates": 14_400,
    },
    "C, matrices of 24 × 24": {**C, "shape": "sum(400)+product(24)", "max_updates": 5600},
    "C, 10 noise words": {**C, "negatives": 10, "max_updates": 8000},
    "C, windows of 3 words on either side": {**C, "window": 3, "max_updates": 7600},
    "C, windows of 8 words on either side": {**C, "window": 8},
    "C, noise words by count": {**C, "noise_exponent": 1.0},
    "C, rate 3e-3, σ = 0.01": {**C, "learning_rate": 3e-3, "sigma": 0.01},
    "C, rate 3e-3, products at twice the rate": {**C, "learning_rate": 3e-3, "product_rate": 2.0},
}
FACTS = (
    *("shape", "sigma", "batch_sentences", "adam", "learning_rate", "product_rate", "schedule"),
    *("share_negatives", "noise_exponent", "max_updates"),
)
LONG = {  # models that are not trained here, by name
    "B, longer": "hybrid-800-20k",
    "C, vectors of 784, for half an hour": "hybrid-1184-small",
    "B, vectors of 784, for an hour": "hybrid-1184-large-0",
    "C, vectors of 784, for an hour": "hybrid-1184-fast-0",
    "C, vectors of 784, 24 × 24, rate 3.5e-3, noise words by count, for an hour": "hybrid-1360-0",
    "C, vectors of 784, rate 2.5e-3, for an hour: D": "hybrid-1184-slow-0",
    "D, products at twice the rate, σ = 0.01, noise words by count: the recipe": "hybrid-1184-0",
}


def similarity(encoder: Encoder, pairs: dict[str, Pairs], normalize: str | None) -> float:
    """The mean of Pearson's correlations, in points."""
    return fmean(
        100
        * pearson(
            cosine(
                encoder.encode(part.first, normalize=normalize),
                encoder.encode(part.second, normalize=normalize),
            ),
            part.values,
        )
        for part in pairs.values()
    )


def score(encoder: Encoder, data: DataFolder, pairs: dict[str, Pairs]) -> dict[str, float]:
    """All development scores of an encoder, and those with normalized parts."""
    scores = {"validation loss": encoder.training["validation_loss"]}
    for name, normalize in (("", None), (", normalized", "parts")):
        report = evaluate(
            lambda texts, way=normalize: encoder.encode(texts, normalize=way),
            data=data.folders,
            tasks=CLASSIFICATION,
        )
        found = {
            task: run.result.details["development accuracy"]
            for task, run in report.runs["model"].items()
        }
        scores[f"cosine{name}"] = similarity(encoder, pairs, normalize)
        scores |= {f"{task}{name}": accuracy for task, accuracy in found.items()}
    return scores


def main() -> None:
    """Train and score all that is new, and write everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path, help="a prepared corpus")
    parser.add_argument("--cased", type=Path, required=True, help="prepared with --no-lowercase")
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--models", type=Path, required=True, help="where they are trained")
    parser.add_argument("--reproduced", type=Path, required=True, help="where those of LONG are")
    options = parser.parse_args()
    data = DataFolder(options.data)
    training, development, _ = read_benchmark(data)
    pairs = {"train": training, "dev": development, "SICK": TASKS["SICK-R"].read(data)[0]}

    def scores_of(number: int, settings: Settings) -> dict[str, float]:
        config = TrainConfig.of({"recipe": "paper", "validation_updates": 100_000, **settings})
        corpus = options.cased if settings.get("prepare") == CASED else options.corpus
        place = options.models / f"trial-{number}"
        return score(train(corpus, config, folder=place, resume=True), data, pairs)

    known = known_trials("recipes")
    trials = done_trials(TRIALS, known, scores_of)
    for name, model in LONG.items():
        place = options.reproduced / model
        if name in known and not place.exists():
            trials[name] = known[name]
            continue
        encoder = load(place)
        settings = {each: encoder.training[each] for each in FACTS}
        trials[name] = {"settings": settings, "scores": score(encoder, data, pairs)}

    columns = list(next(iter(trials.values()))["scores"])
    sections = [
        f"Hybrid-800, if not said otherwise, on {Corpus.open(options.corpus).tokens:,} tokens, "
        "one seed; 1,000 updates with negatives for each window take about as long as 1,800 with "
        "negatives for each sentence, 1,450 with vectors of 784, 7,200 with batches of 256. A "
        "letter stands for all settings of the line that ends with it. Losses of thinned text, of "
        "cased text, with other windows and with other noise words cannot be compared. "
        "Cosine: mean of Pearson's correlations on the training and development pairs of STS-B "
        "and the training pairs of SICK. The others: accuracy on development sentences or inner "
        "folds.",
        table(
            ["settings", *columns],
            [[name, *(f"{t['scores'][c]:.2f}" for c in columns)] for name, t in trials.items()],
        ),
    ]
    write_results(
        "recipes", "Settings of training", {"machine": machine(), "trials": trials}, sections
    )


if __name__ == "__main__":
    main()
