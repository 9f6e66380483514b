"""Learning from labels: against fastText's supervised, model2vec's classifier, frozen embeddings.

    python bench/classify.py --data SENTEVAL [--model MODEL] [--text-model MODEL]
                             [--tasks TREC,SST2] [--systems cmow] [--folds 10] [--minutes 1]
                             [--threads 2] [--only accuracies|speeds]

SENTEVAL is SentEval's data folder; MODEL is what we start from, beside starting from nothing, and
whose sum part others start from: the English model unless given. The text model is another one to
start from, such as one that `cmow train` has made by our recipe. Tasks without a development split
have a tenth of their training texts set aside, the same for all; those without a test split are
cross-validated, or only the first folds of ten are. Whatever a system chooses, it chooses on the
development split; with --minutes fastText's autotune and our tuning have as long. Systems that have
no pairs of texts see one text with a mark in between. Accuracies that are not yet there are added
to results/classify.json, which is written after every run; speeds want quiet cores and are measured
anew, with --only speeds nothing else. Makes results/classify.md of it all. Needs fasttext-wheel,
scikit-learn and model2vec[train].
"""

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from classifiers import NEEDS, SEED, SYSTEMS, Material, Split
from measuring import RESULTS, best_rate, machine, table, write_results

from cmow import Classifier
from cmow.evaluation.data import DataFolder
from cmow.evaluation.sentences import Pairs
from cmow.evaluation.tasks import TASKS

NAMES = ("SST2", "SST5", "TREC", "MR", "SUBJ", "CR", "MPQA", "SICK-E", "MRPC")
WITH_TEST = ("SST2", "SST5", "TREC", "SICK-E", "MRPC")
FOLDS = 10
DEVELOPMENT = 0.1
EPOCHS = 5  # of the runs whose speed is measured
SPEED_SHAPES = ("mean(sum(100))", "mean(sum(100))+mean(product(16))")

Row = dict[str, Any]
Tasks = dict[str, dict[str, list[Row]]]  # by task and system a row a fold


# ---- the tasks ----------------------------------------------------------------------------------


def read(data: DataFolder, name: str, folds: int) -> Iterator[Material]:
    """The splits of a task, or those of its folds."""
    found = TASKS[name].read(data)
    parts = [_split(part) for part in (found if name in WITH_TEST else [found])]
    if len(parts) == 3:
        yield Material(*parts)
    elif len(parts) == 2:
        yield Material(*_set_aside(parts[0]), parts[1])
    else:
        order = np.random.default_rng(SEED).permutation(len(parts[0].texts))
        for fold in range(min(folds, FOLDS)):
            rest = np.concatenate([order[f::FOLDS] for f in range(FOLDS) if f != fold])
            yield Material(*_set_aside(parts[0].some(rest)), parts[0].some(order[fold::FOLDS]))


def _split(part: Any) -> Split:
    if isinstance(part, Pairs):
        return Split(
            list(zip(part.first, part.second, strict=True)), [str(int(v)) for v in part.values]
        )
    kept = [n for n, text in enumerate(part.texts) if text.strip()]
    return Split([part.texts[n] for n in kept], [str(part.labels[n]) for n in kept])


def _set_aside(train: Split) -> tuple[Split, Split]:
    order = np.random.default_rng(SEED).permutation(len(train.texts))
    count = round(DEVELOPMENT * len(order))
    return train.some(order[count:]), train.some(order[:count])


# ---- how good -----------------------------------------------------------------------------------


def measure(options: argparse.Namespace, tasks: Tasks, write: Callable[[], None]) -> None:
    """Add the accuracy and the CPU seconds of each system on each fold that is not there yet."""
    for name in options.tasks.split(","):
        for fold, material in enumerate(read(DataFolder(options.data), name, options.folds)):
            for system in options.systems.split(";"):
                rows = tasks.setdefault(name, {}).setdefault(system, [])
                lacks = any(
                    system in some and getattr(options, option) is None
                    for option, some in NEEDS.items()
                )
                if len(rows) > fold or lacks:
                    continue
                rows.append(SYSTEMS[system](material, options)._asdict())
                print(name, fold, system, rows[-1], flush=True)
                write()


# ---- how fast -----------------------------------------------------------------------------------


def speeds(options: argparse.Namespace) -> dict[str, dict[str, float]]:
    """Texts for each CPU second at the same dimension, on TREC: trained on, and labeled."""
    import fasttext

    material = next(read(DataFolder(options.data), "TREC", 1))
    texts, labels = material.train
    path = Path(options.scratch) / "speed.txt"
    lines = zip(labels, texts, strict=True)
    path.write_text("".join(f"__label__{label} {text.lower()}\n" for label, text in lines))
    count = len(texts)
    lines = [f"{text}\n" for text in texts]

    def fast() -> Any:
        settings = {"dim": 100, "epoch": EPOCHS, "thread": options.threads, "verbose": 0}
        return fasttext.train_supervised(str(path), **settings)

    model = fast()
    found = {
        "fastText, words": {
            "trained on": best_rate(fast, EPOCHS * count).cpu,
            "labeled": best_rate(
                lambda: [model.f.predict(line, 1, 0.0, "strict") for line in lines], count
            ).cpu,
        }
    }
    for shape in SPEED_SHAPES:

        def learn(shape: str = shape) -> Classifier:
            settings = {"epochs": float(EPOCHS), "validation_share": 0.0}
            return Classifier(start=None, shape=shape, threads=options.threads, **settings).fit(
                texts, labels
            )

        fitted = learn()
        works = {
            "trained on": (learn, EPOCHS * count),
            "labeled": (partial(fitted.predict, texts), count),
            "encoded": (partial(fitted.encoder_.encode, texts), count),
        }
        found[shape] = {name: best_rate(*work).cpu for name, work in works.items()}
    return found


# ---- the page -----------------------------------------------------------------------------------


def sections(figures: dict[str, Any]) -> list[str]:
    """Accuracies and seconds, a column a task, and speeds."""
    tasks: Tasks = figures["tasks"]
    rates = [
        [name, *(format(rate[key], ",.0f") if key in rate else "–" for key in RATES)]
        for name, rate in figures["speeds"].items()
    ]
    found = [
        "## Accuracy",
        f"{_folds(tasks)} Folds of ours learn from the development split, too.",
        scores_table(tasks, "accuracy", ".1f"),
        "## CPU seconds of the training that made the model",
        scores_table(tasks, "seconds", ".2f"),
    ]
    if rates:
        title = f"## Texts for each CPU second, on TREC; trained on {EPOCHS} times"
        found += [title, table(["", *RATES], rates)]
    return found


RATES = ("trained on", "labeled", "encoded")


def classify_tables() -> str:
    """What docs/classify.md shows of it."""
    figures = json.loads((RESULTS / "classify.json").read_text("utf-8"))
    about = figures["machine"]
    source = (
        f"Measured on {about['date']} with `python bench/classify.py` ({about['cpu']}, "
        f"{about['instruction level']}). CPU seconds, since the machine was shared."
    )
    return "\n\n".join([*sections(figures), source]).replace("## ", "### ") + "\n"


def scores_table(tasks: Tasks, key: str, form: str) -> str:
    """A row a system, a column a task, and the mean of all of them."""
    rows: list[list[object]] = []
    for system in SYSTEMS:
        found = [_mean(task.get(system, []), key) for task in tasks.values()]
        known = [each for each in found if each is not None]
        if known:
            mean = format(np.mean(known), form) if len(known) == len(found) else "–"
            rows.append([system, *("–" if c is None else format(c, form) for c in found), mean])
    return table(["", *tasks, "mean"], rows)


def _mean(rows: Sequence[Row], key: str) -> float | None:
    return float(np.mean([row[key] for row in rows])) if rows else None


def _folds(tasks: Tasks) -> str:
    counts = {name: max(map(len, task.values())) for name, task in tasks.items()}
    some = [f"{name} {count}" for name, count in counts.items() if name not in WITH_TEST]
    return f"Folds of ten that were tested: {', '.join(some)}." if some else ""


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="SentEval's data folder")
    parser.add_argument("--model", default="english", help="a model to start from")
    parser.add_argument("--text-model", help="another one, that has learned from text")
    parser.add_argument("--tasks", default=",".join(NAMES), help="names with commas between them")
    parser.add_argument("--systems", default=";".join(SYSTEMS), help="with semicolons between them")
    parser.add_argument("--folds", type=int, default=FOLDS, help="of ten, of tasks without splits")
    parser.add_argument("--minutes", type=float, help="for tuning; none unless given")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", choices=("accuracies", "speeds"), help="both unless given")
    parser.add_argument("--scratch", default="/tmp", help="folder for fastText's file of speeds")
    options = parser.parse_args()
    path = RESULTS / "classify.json"
    figures = json.loads(path.read_text()) if path.exists() else {"tasks": {}, "speeds": {}}
    about = {**machine("fasttext-wheel", "model2vec", "scikit-learn"), "threads": options.threads}
    figures.update(machine=about, model=options.model)

    def write() -> None:
        path.write_text(json.dumps(figures, indent=1) + "\n")

    if options.only != "speeds":
        measure(options, figures["tasks"], write)
    if options.only != "accuracies":
        figures["speeds"] = speeds(options)
    write_results("classify", "Learning from labels", figures, sections(figures))


if __name__ == "__main__":
    main()
