"""Learning from labels: against fastText's supervised, model2vec's classifier, frozen embeddings.

    python bench/classify.py --data SENTEVAL [--model MODEL] [--tasks TREC,SST2] [--folds 10]
                             [--minutes 1] [--threads 2]

SENTEVAL is SentEval's data folder; MODEL is what we start from, beside starting from nothing, and
whose sum part model2vec starts from. Tasks without a development split have a tenth of their
training texts set aside, the same for all; those without a test split are cross-validated, or only
the first folds of ten are. fastText's settings are the best of a few on the development split; with
--minutes its autotune and our tuning have as long. Writes results/classify.json and
results/classify.md. Needs fasttext-wheel, scikit-learn and model2vec[train].
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from measuring import machine, table, write_results

from cmow import Classifier, Encoder, load
from cmow.classification import Examples, tune
from cmow.evaluation.data import DataFolder
from cmow.evaluation.sentences import Pairs
from cmow.evaluation.tasks import TASKS

NAMES = ("SST2", "SST5", "TREC", "MR", "SUBJ", "CR", "MPQA", "SICK-E", "MRPC")
FOLDS = 10
DEVELOPMENT = 0.1
SEED = 1111
FASTTEXT = [{"lr": lr, "epoch": epochs} for lr in (0.1, 0.5, 1.0) for epochs in (5, 25)]
RATES_OF_START = (0.1, 0.3, 1.0)
STRENGTHS = tuple(10.0**power for power in range(-3, 4))


class Split(NamedTuple):
    """Texts, or pairs of them, and classes."""

    texts: list[Any]
    labels: list[str]

    def some(self, numbers: Sequence[int]) -> "Split":
        return Split([self.texts[n] for n in numbers], [self.labels[n] for n in numbers])


class Material(NamedTuple):
    """What a system may learn from, choose by, and is tested with."""

    train: Split
    development: Split
    test: Split


class Outcome(NamedTuple):
    """What came of it."""

    accuracy: float
    seconds: float  # of the training that made the model
    tried: int = 1  # settings that were chosen from


System = Callable[[Material, argparse.Namespace], Outcome]


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


WITH_TEST = ("SST2", "SST5", "TREC", "SICK-E", "MRPC")


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


def accuracy(said: Sequence[Any], split: Split) -> float:
    """In points."""
    return 100 * float(np.mean([str(a) == b for a, b in zip(said, split.labels, strict=True)]))


# ---- the systems --------------------------------------------------------------------------------


def ours(material: Material, options: argparse.Namespace) -> Outcome:
    """From nothing, all settings as they are."""
    return _fitted(material, [{"threads": options.threads}])


def bag(material: Material, options: argparse.Namespace) -> Outcome:
    """The same without an order-aware part."""
    return _fitted(material, [{"threads": options.threads, "shape": "mean(sum(100))"}])


def started(material: Material, options: argparse.Namespace) -> Outcome:
    """From a model, its parts at the best of a few rates."""
    start = load(options.model)
    rates = [{"start": start, "rates": rate, "threads": options.threads} for rate in RATES_OF_START]
    return _fitted(material, rates)


def tuned(material: Material, options: argparse.Namespace) -> Outcome:
    """From nothing or from the model, tuned for some minutes."""
    classifier = Classifier(
        start=None if options.model is None else load(options.model), threads=options.threads
    )
    train, development = Examples.of(*material.train), Examples.of(*material.development)
    trials: list[Any] = []
    tune(classifier, train, development, seconds=60 * options.minutes, tell=trials.append)
    found = _fitted(material, [classifier.get_params()])
    return found._replace(tried=len(trials))


def _fitted(material: Material, choices: list[dict[str, Any]]) -> Outcome:
    made = []
    for settings in choices:
        began = time.perf_counter()
        classifier = Classifier(**settings).fit(*material.train, development=material.development)
        seconds = time.perf_counter() - began
        made.append((classifier.score(*material.development), seconds, classifier))
    _, seconds, best = max(made, key=lambda each: each[0])
    return Outcome(accuracy(best.predict(material.test.texts), material.test), seconds, len(made))


def fasttext_of(ngrams: int) -> System:
    """fastText's supervised with words, or with their n-grams."""

    def system(material: Material, options: argparse.Namespace) -> Outcome:
        return _fasttext(material, options, [{**each, "wordNgrams": ngrams} for each in FASTTEXT])

    return system


def autotuned(material: Material, options: argparse.Namespace) -> Outcome:
    """fastText's own choice within some minutes."""
    return _fasttext(material, options, [{"autotuneDuration": round(60 * options.minutes)}])


def _fasttext(
    material: Material, options: argparse.Namespace, choices: list[dict[str, Any]]
) -> Outcome:
    import fasttext

    made = []
    with tempfile.TemporaryDirectory() as folder:
        train, development = (Path(folder) / name for name in ("train", "development"))
        for path, split in ((train, material.train), (development, material.development)):
            lines = zip(split.labels, map(_tokens, split.texts), strict=True)
            path.write_text("".join(f"__label__{label} {text}\n" for label, text in lines))
        for settings in choices:
            more = {"autotuneValidationFile": str(development)} if "epoch" not in settings else {}
            began = time.perf_counter()
            model = fasttext.train_supervised(
                str(train), dim=100, thread=options.threads, verbose=0, **settings, **more
            )
            seconds = time.perf_counter() - began
            made.append(
                (accuracy(_said(model, material.development), material.development), seconds, model)
            )
    _, seconds, best = max(made, key=lambda each: each[0])
    return Outcome(accuracy(_said(best, material.test), material.test), seconds, len(made))


def _tokens(text: str) -> str:
    """As the sets are tokenized already, lower-cased as ours are."""
    return " ".join(text.lower().split())


def _said(model: Any, split: Split) -> list[str]:
    # Its Python method fails with NumPy 2; what is below it does not.
    lines = [f"{_tokens(text)}\n" for text in split.texts]
    best = [model.f.predict(line, 1, 0.0, "strict") for line in lines]
    return [found[0][1].removeprefix("__label__") if found else "" for found in best]


def model2vec(material: Material, options: argparse.Namespace) -> Outcome:
    """Its trainable classifier, from the sum part of the model or from random vectors."""
    import torch
    from model2vec import StaticModel
    from model2vec.train import StaticModelForClassification
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    torch.set_num_threads(options.threads)
    words, vectors = _vectors(material, options)
    tokenizer = Tokenizer(
        models.WordLevel({word: n for n, word in enumerate(words)}, unk_token=words[0])
    )
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    began = time.perf_counter()
    static = StaticModel(vectors=vectors, tokenizer=tokenizer)
    model = StaticModelForClassification.from_static_model(model=static)
    model.fit(
        *material.train,
        X_val=material.development.texts,
        y_val=material.development.labels,
        device="cpu",
    )
    seconds = time.perf_counter() - began
    return Outcome(accuracy(model.predict(material.test.texts), material.test), seconds)


def _vectors(material: Material, options: argparse.Namespace) -> tuple[list[str], np.ndarray]:
    """A vector for no word, and those of all others."""
    if options.model is not None:
        encoder = load(options.model)
        (table, *_) = (part.rows() for part in encoder.parts if part.monoid.has_vectors)
        words = list(encoder.vocabulary.words)
    else:
        words = sorted({word for text in material.train.texts for word in _tokens(text).split()})
        table = np.random.default_rng(SEED).normal(0, 0.1, (len(words), 100))
    return ["[UNK]", *words], np.concatenate([np.zeros((1, table.shape[1])), table]).astype("f4")


def frozen(material: Material, options: argparse.Namespace) -> Outcome:
    """Logistic regression on the model's embeddings, each part of length 1."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    encoder = load(options.model)
    began = time.perf_counter()
    scaler = StandardScaler()
    train = scaler.fit_transform(_features(encoder, material.train.texts))
    development, test = (
        scaler.transform(_features(encoder, split.texts)) for split in material[1:]
    )
    made = []
    for strength in STRENGTHS:
        model = LogisticRegression(C=strength / len(train), max_iter=200)
        model.fit(train, material.train.labels)
        made.append((model.score(development, material.development.labels), strength, model))
    best = max(made, key=lambda each: each[0])[2]
    seconds = time.perf_counter() - began
    return Outcome(accuracy(best.predict(test), material.test), seconds, len(made))


def _features(encoder: Encoder, texts: list[Any]) -> np.ndarray:
    normalize = "all" if encoder.projection is not None else "parts"
    if not isinstance(texts[0], tuple):
        return encoder.encode(texts, normalize=normalize)
    u, v = (encoder.encode(list(some), normalize=normalize) for some in zip(*texts, strict=True))
    return np.concatenate([np.abs(u - v), u * v], axis=1)


SYSTEMS: dict[str, System] = {
    "cmow": ours,
    "cmow, sum only": bag,
    "cmow, started": started,
    "cmow, tuned": tuned,
    "fastText, words": fasttext_of(1),
    "fastText, bigrams": fasttext_of(2),
    "fastText, autotune": autotuned,
    "model2vec": model2vec,
    "frozen": frozen,
}
NEED_MODEL = ("cmow, started", "frozen")
NEED_MINUTES = ("cmow, tuned", "fastText, autotune")
NO_PAIRS = ("fastText, words", "fastText, bigrams", "fastText, autotune", "model2vec")


# ---- all of it ----------------------------------------------------------------------------------


def measure(options: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """Accuracy, seconds and examples a second of each system on each task."""
    data, found = DataFolder(options.data), {}
    for name in options.tasks.split(","):
        rows: dict[str, list[tuple[Outcome, int]]] = {}
        for material in read(data, name, options.folds):
            pairs = isinstance(material.train.texts[0], tuple)
            for system, run in SYSTEMS.items():
                if (
                    (options.model is None and system in NEED_MODEL)
                    or (options.minutes is None and system in NEED_MINUTES)
                    or (pairs and system in NO_PAIRS)
                ):
                    continue
                outcome = run(material, options)
                rows.setdefault(system, []).append((outcome, len(material.train.texts)))
                print(f"{name}: {system}: {outcome.accuracy:.1f} in {outcome.seconds:.1f} s")
        found[name] = {
            system: {
                "accuracy": float(np.mean([outcome.accuracy for outcome, _ in outcomes])),
                "seconds": float(np.mean([outcome.seconds for outcome, _ in outcomes])),
                "texts": int(np.mean([texts for _, texts in outcomes])),
                "settings tried": outcomes[0][0].tried,
            }
            for system, outcomes in rows.items()
        }
    return found


def sections(figures: dict[str, Any]) -> list[str]:
    """Accuracies and seconds, a column a task."""
    tasks = figures["tasks"]
    systems = [name for name in SYSTEMS if any(name in rows for rows in tasks.values())]

    def rows(key: str, form: str) -> list[list[object]]:
        made: list[list[object]] = []
        for system in systems:
            cells = [rows[system][key] if system in rows else None for rows in tasks.values()]
            known = [cell for cell in cells if cell is not None]
            mean = format(np.mean(known), form) if len(known) == len(cells) else "–"
            made.append([system, *("–" if c is None else format(c, form) for c in cells), mean])
        return made

    head = ["", *tasks, "mean"]
    return [
        "## Accuracy",
        table(head, rows("accuracy", ".1f")),
        "## Seconds of the training that made the model",
        table(head, rows("seconds", ".2f")),
    ]


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="SentEval's data folder")
    parser.add_argument("--model", type=Path, help="a model to start from")
    parser.add_argument("--tasks", default=",".join(NAMES), help="names with commas between them")
    parser.add_argument("--folds", type=int, default=FOLDS, help="of ten, of tasks without splits")
    parser.add_argument("--minutes", type=float, help="for tuning; none unless given")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    figures = {
        "machine": machine("fasttext-wheel", "model2vec", "scikit-learn"),
        "model": None if options.model is None else options.model.name,
        "folds": options.folds,
        "tasks": measure(options),
    }
    write_results("classify", "Learning from labels", figures, sections(figures))


if __name__ == "__main__":
    main()
