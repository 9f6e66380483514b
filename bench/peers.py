"""Encoders of sentences beside each other: how good, how fast, how large, how long to train.

    python bench/peers.py TEACHER TEXT HELD_OUT --data SENTEVAL --work FOLDER
        [--minutes 60] [--threads 2] [--only NAME ...] [--speeds] [--vectors NAME=FILE ...]
        [--model NAME=FOLDER ...] [--sent2vec FOLDER]

Some come ready; the others learn from the same text for at most so many minutes of so many
threads, counted in time of the CPU, so that other work on the machine takes nothing from anyone.
Models stay in the work folder and scores in results/peers.json: whatever interrupts the command,
it goes on where it was, and models that have learned for another time learn anew. Without
results/peers.json all is measured anew, by the models that there are. What
results/distilled.json and results/word_order.json hold is not measured again. HELD_OUT is text
that nobody learns from, for the task on exchanged neighbors. The page also tells how fast cmow,
fastText and gensim learn.

Needs the dependency group bench; a peer that is missing is left out. GloVe's vectors come by
--vectors, sent2vec by --sent2vec: its repository, after `make` and
`python setup.py build_ext --inplace`. Writes results/peers.json, results/peers.md and
results/peers.png.
"""

import argparse
import gc
import json
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

from measuring import RESULTS
from model_scores import similarity_scores, task_scores
from peers_corpus import prepared, word_order_task
from peers_learning import learning_rates
from peers_page import write
from peers_ready import READY, Make, Ready, ours, size_of
from peers_trained import Encode, recipes, taught
from word_order import measure

import cmow
from cmow import Encoder
from cmow.corpus import Corpus, read_lines

KNOWN = {  # under which names other results hold the scores
    "all-MiniLM-L6-v2": ("teacher", "teacher"),
    "model2vec from it, 256": ("model2vec from the same teacher, 256",) * 2,
    "WordLlama, 256": ("WordLlama, 256",) * 2,
    "cmow english": ("english (it comes with cmow)", "english"),
    "cmow english, its bag": (None, "english, `order=0`"),
}
FEW = 50  # sentences that tell how many to time
ROUND, ROUNDS = 0.3, 9  # seconds of a round, about; short ones more often find the machine idle
SCORES = ("supervised", "STS12-16", "BShift")


class Encoding:
    """A function as an encoder."""

    def __init__(self, encode: Encode) -> None:
        self.encode = encode


def kept(page: str, name: str | None) -> dict[str, Any]:
    """What another page of results holds of a model."""
    found = json.loads((RESULTS / f"{page}.json").read_text("utf-8"))["models"].get(name, {})
    return dict(found)


def scores_of(name: str, encode: Encode, data: list[Path]) -> dict[str, float]:
    """The scores of an encoder, in points."""
    of_quality, of_order = KNOWN.get(name, (None, None))
    quality = kept("distilled", of_quality)
    if not quality:
        encoder = Encoding(encode)
        quality = {**similarity_scores(encoder, data), **task_scores(encoder, data)}
    order = kept("word_order", of_order) or measure(Encoding(encode))
    return {
        **{score: quality[score] for score in SCORES},
        "order by cosine": round(order["Triples"]["mean"], 1),
        "order by a probe": round(order["TriplesProbe"]["mean"], 1),
    }


def speeds_of(encode: Encode, texts: list[str]) -> dict[str, float]:
    """Sentences for each second of the CPU, and those of the English model, by turns.

    Both at their best: other work on the machine only ever slows down.
    """
    english = cmow.load()
    contestants = {"sentences": encode, "english": lambda some: english.encode(some, threads=1)}
    counts = {name: enough(work, texts) for name, work in contestants.items()}
    best = dict.fromkeys(contestants, 0.0)
    for _ in range(ROUNDS):
        for name, work in contestants.items():
            seconds = seconds_of(work, texts[: counts[name]])
            best[name] = max(best[name], counts[name] / seconds)
    return best


def enough(encode: Encode, texts: list[str]) -> int:
    """How many sentences to time."""
    seconds_of(encode, texts[:FEW])  # what comes first takes longer
    rate = FEW / seconds_of(encode, texts[:FEW])
    return min(max(FEW, int(ROUND * rate)), len(texts))


def seconds_of(encode: Encode, texts: list[str]) -> float:
    """Time of the CPU."""
    start = time.process_time()
    encode(texts)
    return time.process_time() - start


def results() -> dict[str, Any]:
    """What has been measured so far."""
    file = RESULTS / "peers.json"
    found = json.loads(file.read_text("utf-8")) if file.is_file() else {"models": {}}
    return dict(found)


def learners(options: argparse.Namespace, corpus: Corpus) -> dict[str, Callable[[], Any]]:
    """Who learns from the text, ready when it has."""

    def learn(name: str, recipe: Any) -> tuple[Ready, dict[str, Any]]:
        folder = options.work / name
        minutes = options.minutes * options.threads
        note = taught(recipe, corpus, folder, cpu_minutes=minutes, threads=options.threads)
        return Ready(recipe.load(folder), size_of(folder)), note

    return {
        name: lambda name=name, recipe=recipe: learn(name, recipe)
        for name, recipe in recipes(options.sent2vec).items()
    }


def ready_ones(options: argparse.Namespace) -> dict[str, Callable[[], Any]]:
    """Who comes ready."""
    makers: dict[str, Make] = dict(READY)
    for each in options.vectors:
        name, file = each.split("=", 1)
        makers[name] = ours(
            lambda file=file: Encoder.from_vectors(file, tokenizer="whitespace", lowercase=True)
        )
    for each in options.model:
        name, folder = each.split("=", 1)
        makers[name] = ours(lambda folder=folder: cmow.load(folder))
    return {name: lambda make=make: (make(options.teacher), None) for name, make in makers.items()}


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("teacher", help="all-MiniLM-L6-v2, by name or folder")
    parser.add_argument("text", type=Path, help="tokenized sentences, one a line")
    parser.add_argument("held_out", type=Path, help="others, that nobody learns from")
    parser.add_argument("--data", type=Path, required=True, help="folder in SentEval's layout")
    parser.add_argument("--work", type=Path, required=True, help="where models are kept")
    parser.add_argument("--minutes", type=float, default=60, help="of learning, for each peer")
    parser.add_argument("--threads", type=int, default=2, help="that each peer learns on")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="no others")
    parser.add_argument("--speeds", action="store_true", help="time those again that are known")
    parser.add_argument("--vectors", action="append", default=[], metavar="NAME=FILE")
    parser.add_argument("--model", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--sent2vec", type=Path, help="its repository, built")
    return parser.parse_args()


def main() -> None:
    """Measure what is new, and write everything."""
    options = parse()
    options.work.mkdir(parents=True, exist_ok=True)
    corpus = prepared(options.text, options.work / "corpus")
    data = [options.data, word_order_task(options.held_out, options.work / "probing")]
    texts = list(islice(read_lines(options.held_out), 20_000))
    allowed = options.minutes * options.threads
    for name, make in {**ready_ones(options), **learners(options, corpus)}.items():
        found = results()["models"].get(name)
        if options.only and name not in options.only:
            continue
        known = found and (found["training"] or {"allowed": allowed})["allowed"] == allowed
        if known and not options.speeds:
            continue
        try:
            (encode, size), note = make()
        except ImportError as missing:
            print(f"{name} is left out: {missing}")
            continue
        scores, speeds = found if known else scores_of(name, encode, data), speeds_of(encode, texts)
        figures = results()  # anew: several may run at once, each with names of its own
        figures["models"][name] = {**scores, "training": note, "bytes": size, **speeds}
        write(figures)
        del encode
        gc.collect()
    figures = results()
    if not options.only and "learning" not in figures:
        figures["learning"] = learning_rates(corpus, options.work, threads=options.threads)
    write(figures)


if __name__ == "__main__":
    main()
