"""Evaluation speed: all downstream and probing tasks, the plain way, and other solvers.

    python bench/evaluate.py --data SENTEVAL [--model MODEL] [--quick]

Writes results/evaluate.json and results/evaluate.md. Without a model, an untrained hybrid-800 is
scored, whose matrices make the hardest problems there are. Where SENTEVAL has no probing sets,
random sentences of their size stand in for them. Needs scikit-learn, SciPy and torch.
"""

import argparse
import resource
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measuring import machine, table, write_results
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from solvers import compare_solvers

from cmow import Encoder, load
from cmow.evaluation import TASKS, DataFolder, evaluate
from cmow.evaluation.logistic import undecided
from cmow.evaluation.protocols import (
    FOLDS,
    STRENGTHS,
    Samples,
    cross_validated,
    cross_validated_then_tested,
    spread,
    stratified_folds,
)
from cmow.text import Tokenizer, Vocabulary

SEED = 1111
TITLES = {
    "scikit-learn": "The same nested loops with scikit-learn",
    "solvers": "Solvers of the same function (TREC's training questions, seven penalties)",
}
SIZES = {"tr": 100_000, "va": 10_000, "te": 10_000}
CLASSES = {
    "Depth": 7,
    "BShift": 2,
    "SubjNum": 2,
    "Tense": 2,
    "CoordInv": 2,
    "Length": 6,
    "ObjNum": 2,
    "TopConst": 20,
    "SOMO": 2,
    "WC": 1000,
}


class Seconds(NamedTuple):
    """Of a clock on the wall, and of all cores together."""

    wall: float
    cpu: float


def timed(work: Callable[[], Any]) -> tuple[Any, Seconds]:
    """What some work gives, and how long it takes."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, Seconds(time.perf_counter() - wall, time.process_time() - cpu)


def untrained(data: DataFolder) -> Encoder:
    """An untrained hybrid with the words of some tasks."""
    counts: dict[str, int] = {}
    for name in ("SST2", "SUBJ", "MRPC", "SICK-R", "TREC"):
        for text in TASKS[name].texts(TASKS[name].read(data)):
            for word in text.lower().split():
                counts[word] = counts.get(word, 0) + 1
    tokenizer = Tokenizer.whitespace(Vocabulary.from_counts(counts), lowercase=True)
    return Encoder.initialize(tokenizer, "hybrid-800", seed=1, sigma=0.1)


def write_probing(folder: Path, words: list[str], sizes: dict[str, int]) -> None:
    """Random sentences; a word of each names its class, so that there is something to learn."""
    random = np.random.default_rng(2)
    (folder / "probing").mkdir()
    for name, classes in CLASSES.items():
        with (folder / TASKS[name].file).open("w", encoding="utf-8") as file:
            for split, count in sizes.items():
                texts = random.choice(words, (count, 14))
                for number, text in enumerate(texts):
                    label = number % classes
                    text[number % 14] = words[label]
                    file.write(f"{split}\t{label}\t{' '.join(text)}\n")


def score(encoder: Encoder, folder: Path, groups: list[str]) -> dict[str, Any]:
    """Seconds of each task and of all, and the peak of memory so far."""
    report, seconds = timed(lambda: evaluate(encoder, data=folder, tasks=groups, seed=SEED))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{', '.join(groups)}: {seconds.wall:.0f} s, {peak:.1f} GB", flush=True)
    tasks = {task: run.seconds for task, run in report.runs["model"].items()}
    scores = {task: run.result.score for task, run in report.runs["model"].items()}
    return {"tasks": tasks, "scores": scores, "seconds": seconds._asdict(), "peak GB": peak}


def plain_fit(train: Samples, strength: float) -> LogisticRegression:
    """The same function as ours, minimized by scikit-learn."""
    classes = int(train.labels.max()) + 1
    penalty = strength * spread(train.features) * undecided(classes)
    strength = len(train.labels) * penalty / (2 if classes == 2 else 1)
    model = LogisticRegression(C=1 / strength, max_iter=1000)
    return model.fit(train.features, train.labels)


def plain_search(train: Samples, folds: np.ndarray) -> float:
    """The best strength by ten folds, one fit after the other."""
    scores = []
    for strength in STRENGTHS:
        accuracies = []
        for fold in range(FOLDS):
            rest = folds != fold
            model = plain_fit(Samples(train.features[rest], train.labels[rest]), strength)
            accuracies.append(model.score(train.features[~rest], train.labels[~rest]))
        scores.append(np.mean(accuracies))
    return STRENGTHS[int(np.argmax(scores))]


def plain_then_tested(train: Samples, test: Samples) -> float:
    """The accuracy of a classifier whose strength ten folds have chosen."""
    folds = stratified_folds(train.labels, np.random.default_rng(SEED))
    model = plain_fit(train, plain_search(train, folds))
    return 100 * float(model.score(test.features, test.labels))


def plain_fold(samples: Samples) -> float:
    """One test fold of ten of the nested cross-validation."""
    test = stratified_folds(samples.labels, np.random.default_rng(SEED)) == 0
    rest, held_out = (
        Samples(samples.features[rows], samples.labels[rows]) for rows in (~test, test)
    )
    return plain_then_tested(rest, held_out)


def compare(encoder: Encoder, data: DataFolder) -> dict[str, dict[str, float]]:
    """Our seconds and scikit-learn's for CR and for TREC."""
    reviews = TASKS["CR"].read(data)
    reviews = Samples(encoder.encode(reviews.texts), reviews.labels)
    questions = [Samples(encoder.encode(p.texts), p.labels) for p in TASKS["TREC"].read(data)]
    cases = {
        "CR, nested": (
            lambda: cross_validated(reviews, seed=SEED).accuracy,
            lambda: plain_fold(reviews),
            FOLDS,  # scikit-learn does one test fold, and ten would take ten times as long
        ),
        "TREC": (
            lambda: cross_validated_then_tested(*questions, seed=SEED).accuracy,
            lambda: plain_then_tested(*questions),
            1,
        ),
    }
    figures = {}
    for name, (ours, plain, times) in cases.items():
        accuracy, mine = timed(ours)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            plain_accuracy, theirs = timed(plain)
        figures[name] = {
            "accuracy": accuracy,
            "plain accuracy": plain_accuracy,
            "seconds": mine.wall,
            "plain seconds": times * theirs.wall,
            "ratio": times * theirs.wall / mine.wall,
            "ratio of CPU time": times * theirs.cpu / mine.cpu,
        }
        print(f"{name}: {figures[name]['ratio']:.0f} times as fast as scikit-learn", flush=True)
    return figures


def probe(encoder: Encoder, folder: Path, quick: bool) -> dict[str, Any]:
    """The ten probing tasks, on sets of their full size."""
    if DataFolder(folder).find(TASKS["WC"].file):
        return score(encoder, folder, ["probing"])
    sizes = {split: size // (10 if quick else 1) for split, size in SIZES.items()}
    with tempfile.TemporaryDirectory() as made:
        write_probing(Path(made), list(encoder.vocabulary.words[100:5000]), sizes)
        return {"sentences": sum(sizes.values()), **score(encoder, Path(made), ["probing"])}


def solve(encoder: Encoder, data: DataFolder) -> dict[str, dict[str, float]]:
    """TREC's training questions with every penalty, by several solvers."""
    train, _ = TASKS["TREC"].read(data)
    features = encoder.encode(train.texts)
    unit = spread(features) * undecided(int(train.labels.max()) + 1)
    return compare_solvers(features, train.labels, [strength * unit for strength in STRENGTHS])


PLAIN = (
    "Of CR scikit-learn does one test fold in ten, and its time is multiplied by ten. *Plain* is "
    "scikit-learn."
)
STAND_INS = (
    "Where there are no probing files, random sentences of their size stand in for them: a score "
    "of nearly 100 on BShift or Depth is one of those and means nothing, the seconds do."
)


def sections(figures: dict[str, Any]) -> list[str]:
    """The page's tables."""
    groups = {name: figures[name] for name in ("downstream", "probing")}
    rows = [
        [f"{len(part['tasks'])} {name}", *part["seconds"].values(), part["peak GB"]]
        for name, part in groups.items()
    ]
    made = [
        f"Model: {figures['model']}.",
        table(["tasks", "seconds", "CPU seconds", "peak GB so far"], rows),
    ]
    for name, title in TITLES.items():
        facts = figures[name]
        rows = [[case, *numbers.values()] for case, numbers in facts.items()]
        notes = [PLAIN] if name == "scikit-learn" else []
        made += [f"## {title}", *notes, table([name, *next(iter(facts.values()))], rows)]
    rows = [
        [task, part["scores"][task], seconds]
        for part in groups.values()
        for task, seconds in part["tasks"].items()
    ]
    return [*made, "## Tasks", STAND_INS, table(["task", "score", "seconds"], rows)]


def main() -> None:
    """Measure and write everything."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="SentEval's folder")
    parser.add_argument("--model", type=Path, help="a model's folder")
    parser.add_argument("--quick", action="store_true", help="a tenth of the probing sentences")
    options = parser.parse_args()
    data = DataFolder(options.data)
    encoder = load(options.model) if options.model else untrained(data)
    parts: dict[str, Callable[[], Any]] = {
        "downstream": lambda: score(encoder, options.data, ["supervised", "unsupervised"]),
        "probing": lambda: probe(encoder, options.data, options.quick),
        "scikit-learn": lambda: compare(encoder, data),
        "solvers": lambda: solve(encoder, data),
    }
    trained = "trained" if options.model else "untrained"
    figures: dict[str, Any] = {
        "machine": machine("scikit-learn"),
        "model": f"{trained}, {encoder.dim} dimensions",
    }
    figures |= {name: measure() for name, measure in parts.items()}
    write_results("evaluate", "Evaluation speed", figures, sections(figures))


if __name__ == "__main__":
    main()
