"""What bench/classify.py compares: each learns from the labels of a task and is tested."""

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cmow import Classifier, Encoder, load
from cmow.classification import Examples, tune
from cmow.errors import DivergenceError

SEED = 1111
FASTTEXT = [{"lr": lr, "epoch": epochs} for lr in (0.1, 0.5, 1.0) for epochs in (5, 25)]
MODEL_FOLDS = 3
UNKNOWN = "[UNK]"  # what stands for words that a model does not know
BUCKETS = 500_000  # of bigrams as wide as the vectors: fastText's two million would take 3 GB
STRENGTHS = tuple(10.0**power for power in range(-3, 4))


class Split(NamedTuple):
    """Texts, or pairs of them, and classes."""

    texts: list[Any]
    labels: list[str]

    def some(self, numbers: Sequence[int]) -> "Split":
        """Those of some numbers."""
        return Split([self.texts[n] for n in numbers], [self.labels[n] for n in numbers])

    def followed_by(self, more: "Split") -> "Split":
        """These and others."""
        return Split(self.texts + more.texts, self.labels + more.labels)


class Material(NamedTuple):
    """What a system may learn from, choose by, and is tested with."""

    train: Split
    development: Split
    test: Split


class Outcome(NamedTuple):
    """What came of it."""

    accuracy: float
    seconds: float  # of CPU, over all threads, of the training that made the model
    tried: int = 1  # settings that were chosen from


System = Callable[[Material, argparse.Namespace], Outcome]


def accuracy(said: Sequence[Any], split: Split) -> float:
    """In points."""
    return 100 * float(np.mean([str(a) == b for a, b in zip(said, split.labels, strict=True)]))


# ---- the systems --------------------------------------------------------------------------------


def ours(material: Material, options: argparse.Namespace) -> Outcome:
    """From nothing, all settings as they are."""
    return _fitted(material, [{"start": None, "threads": options.threads}])


def bag(material: Material, options: argparse.Namespace) -> Outcome:
    """The same without an order-aware part."""
    return _fitted(
        material, [{"start": None, "threads": options.threads, "shape": "mean(sum(100))"}]
    )


def started(material: Material, options: argparse.Namespace) -> Outcome:
    """From a model, all settings as they are."""
    return _fitted(material, [{"start": load(options.model), "threads": options.threads}])


def started_from_text(material: Material, options: argparse.Namespace) -> Outcome:
    """The same from a model that has learned from text alone."""
    return _fitted(material, [{"start": load(options.text_model), "threads": options.threads}])


def folded(material: Material, options: argparse.Namespace) -> Outcome:
    """From a model, all labels that are not tested with learned from, by folds."""
    every = material.train.followed_by(material.development)
    began = time.process_time()
    classifier = Classifier(start=options.model, folds=MODEL_FOLDS, threads=options.threads)
    classifier.fit(*every)
    seconds = time.process_time() - began
    return Outcome(accuracy(classifier.predict(material.test.texts), material.test), seconds)


def tuned(material: Material, options: argparse.Namespace) -> Outcome:
    """From the model, tuned for some minutes."""
    classifier = Classifier(start=load(options.model), threads=options.threads)
    train, development = Examples.of(*material.train), Examples.of(*material.development)
    trials: list[Any] = []
    tune(classifier, train, development, seconds=60 * options.minutes, tell=trials.append)
    found = _fitted(material, [classifier.get_params()])
    return found._replace(tried=len(trials))


def _fitted(material: Material, choices: list[dict[str, Any]]) -> Outcome:
    made = []
    for settings in choices:
        began = time.process_time()
        classifier = Classifier(**settings)
        try:
            classifier.fit(*material.train, development=material.development)
        except DivergenceError:
            continue  # a choice like any other that does badly
        seconds = time.process_time() - began
        made.append((classifier.score(*material.development), seconds, classifier))
    _, seconds, best = max(made, key=lambda each: each[0])
    said = best.predict(material.test.texts)
    return Outcome(accuracy(said, material.test), seconds, len(choices))


def fasttext_of(ngrams: int) -> System:
    """fastText's supervised with words, or with their n-grams."""

    def system(material: Material, options: argparse.Namespace) -> Outcome:
        return _fasttext(material, options, [{**each, "wordNgrams": ngrams} for each in FASTTEXT])

    return system


def autotuned(material: Material, options: argparse.Namespace) -> Outcome:
    """fastText's own choice within some minutes."""
    return _fasttext(material, options, [{"autotuneDuration": round(60 * options.minutes)}])


def from_vectors(material: Material, options: argparse.Namespace) -> Outcome:
    """fastText's supervised with bigrams, from the sum part of the model."""
    words, table = _vectors(options)
    wanted = {word for text in material.train.texts for word in _tokens(text).split()}
    known = [number for number, word in enumerate(words) if word in wanted]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.vec"
        rows = (f"{words[n]} {' '.join(format(x, '.5g') for x in table[n])}\n" for n in known)
        path.write_text(f"{len(known)} {table.shape[1]}\n" + "".join(rows))
        more = {"wordNgrams": 2, "pretrainedVectors": str(path), "dim": table.shape[1]}
        more["bucket"] = BUCKETS
        return _fasttext(material, options, [{**each, **more} for each in FASTTEXT])


def _fasttext(
    material: Material, options: argparse.Namespace, choices: list[dict[str, Any]]
) -> Outcome:
    import fasttext

    best: tuple[float, float, Any] = (-1.0, 0.0, None)  # the others are let go: they are large
    with tempfile.TemporaryDirectory() as folder:
        train, development = (Path(folder) / name for name in ("train", "development"))
        for path, split in ((train, material.train), (development, material.development)):
            lines = zip(split.labels, map(_tokens, split.texts), strict=True)
            path.write_text("".join(f"__label__{label} {text}\n" for label, text in lines))
        for settings in choices:
            more = {"autotuneValidationFile": str(development)} if "epoch" not in settings else {}
            began = time.process_time()
            model = fasttext.train_supervised(
                str(train), thread=options.threads, verbose=0, **{"dim": 100, **settings}, **more
            )
            seconds = time.process_time() - began
            found = accuracy(_said(model, material.development), material.development)
            if found > best[0]:
                best = found, seconds, model
            del model
    _, seconds, model = best
    return Outcome(accuracy(_said(model, material.test), material.test), seconds, len(choices))


def _tokens(text: Any) -> str:
    """As the sets are tokenized already, lower-cased as ours are."""
    return " ".join(_single(text).lower().split())


def _single(text: Any) -> str:
    """A pair as one text, for systems that have no pairs."""
    return " ||| ".join(text) if isinstance(text, tuple) else text


def _said(model: Any, split: Split) -> list[str]:
    # Its Python method fails with NumPy 2; what is below it does not.
    lines = [f"{_tokens(text)}\n" for text in split.texts]
    best = [model.f.predict(line, 1, 0.0, "strict") for line in lines]
    return [found[0][1].removeprefix("__label__") if found else "" for found in best]


def model2vec(material: Material, options: argparse.Namespace) -> Outcome:
    """Its trainable classifier, from the sum part of the model."""
    import torch
    from model2vec import StaticModel
    from model2vec.train import StaticModelForClassification
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    torch.set_num_threads(options.threads)
    words, vectors = _vectors(options)
    tokenizer = Tokenizer(
        models.WordLevel({word: n for n, word in enumerate(words)}, unk_token=words[0])
    )
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    began = time.process_time()
    static = StaticModel(vectors=vectors, tokenizer=tokenizer)
    model = StaticModelForClassification.from_static_model(model=static)
    texts = [[_single(text) for text in split.texts] for split in material]
    model.fit(
        texts[0],
        material.train.labels,
        X_val=texts[1],
        y_val=material.development.labels,
        device="cpu",
    )
    seconds = time.process_time() - began
    return Outcome(accuracy(model.predict(texts[2]), material.test), seconds)


def _vectors(options: argparse.Namespace) -> tuple[list[str], np.ndarray]:
    """A vector for no word, and those of all others."""
    encoder = load(options.model)
    (table, *_) = (part.rows() for part in encoder.parts if part.monoid.has_vectors)
    known = [
        (word, row)
        for word, row in zip(encoder.vocabulary.words, table, strict=True)
        if word != UNKNOWN
    ]
    words, rows = zip(*known, strict=True)
    return [UNKNOWN, *words], np.concatenate([np.zeros((1, table.shape[1])), rows]).astype("f4")


def frozen(material: Material, options: argparse.Namespace) -> Outcome:
    """Logistic regression on the model's embeddings, each part of length 1."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    encoder = load(options.model)
    began = time.process_time()
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
    seconds = time.process_time() - began
    return Outcome(accuracy(best.predict(test), material.test), seconds, len(made))


def _features(encoder: Encoder, texts: list[Any]) -> np.ndarray:
    normalize = "all" if encoder.projection is not None else "parts"
    if not isinstance(texts[0], tuple):
        return encoder.encode(texts, normalize=normalize)
    u, v = (encoder.encode(list(some), normalize=normalize) for some in zip(*texts, strict=True))
    return np.concatenate([np.abs(u - v), u * v], axis=1)


SYSTEMS: dict[str, System] = {
    "cmow, from nothing": ours,
    "cmow, from nothing, sum only": bag,
    "cmow, started": started,
    "cmow, started from text": started_from_text,
    "cmow, started, folds": folded,
    "cmow, tuned": tuned,
    "fastText, words": fasttext_of(1),
    "fastText, bigrams": fasttext_of(2),
    "fastText, bigrams, vectors": from_vectors,
    "fastText, autotune": autotuned,
    "model2vec": model2vec,
    "frozen": frozen,
}
NEEDS = {  # by option
    "minutes": ("cmow, tuned", "fastText, autotune"),
    "text_model": ("cmow, started from text",),
}
