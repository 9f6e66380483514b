"""The benchmark of word order: our models, static peers, and a transformer.

    python bench/word_order.py TEACHER [--model NAME=FOLDER ...]

Writes results/word_order.json and results/word_order.md. What the results hold of a model already
is not measured again. Needs sentence-transformers, model2vec and wordllama; a peer that is missing
is left out.
"""

import argparse
import json
from collections.abc import Callable
from typing import Any

from distilled import PEERS
from measuring import RESULTS, machine, table, write_results
from model_scores import Unit

import cmow
from cmow.evaluation import KINDS, evaluate

SPLITS = ("order kept", "order turned")


def english(_teacher: str) -> Any:
    """The model that comes with the package."""
    return cmow.load()


def its_bag(_teacher: str) -> Any:
    """The parts of it that do not see order."""
    return cmow.load().bag()


def its_order(_teacher: str) -> Any:
    """Those that do."""
    return cmow.load().order()


OURS: dict[str, Callable[[str], Any]] = {
    "english": english,
    "english, `order=0`": its_bag,
    "english, `order=1`": its_order,
}


def measure(encoder: Any) -> dict[str, Any]:
    """Both tasks' scores, all in all and by kind."""
    runs = evaluate(Unit(encoder), data=[], tasks=["order"]).runs["model"]
    return {name: {"mean": run.result.score, **run.result.scores} for name, run in runs.items()}


def summary(models: dict[str, Any]) -> str:
    """A row a model: means, and by cosine whether the order is kept."""
    rows = [
        [
            name,
            *(f"{found['Triples'][key]:.1f}" for key in ("mean", *SPLITS)),
            f"{found['TriplesProbe']['mean']:.1f}",
        ]
        for name, found in models.items()
    ]
    return table(["model", "by cosine", *SPLITS, "by a probe"], rows)


def by_kind(models: dict[str, Any], task: str) -> str:
    """A row a model, a column a kind."""
    rows = [
        [name, *(f"{found[task][kind]:.1f}" for kind in KINDS)] for name, found in models.items()
    ]
    return table(["model", *KINDS], rows)


def main() -> None:
    """Score what is new, and write everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("teacher", help="a sentence-transformers model")
    parser.add_argument("--model", action="append", default=[], metavar="NAME=FOLDER")
    options = parser.parse_args()
    makers = {**PEERS, **OURS}
    for each in options.model:
        name, folder = each.split("=", 1)
        makers[name] = lambda _teacher, folder=folder: cmow.load(folder)
    kept = RESULTS / "word_order.json"
    known = json.loads(kept.read_text("utf-8"))["models"] if kept.is_file() else {}
    models: dict[str, Any] = {}
    for name, make in makers.items():
        try:
            models[name] = known.get(name) or measure(make(options.teacher))
        except ImportError:
            continue
        print(name, models[name], flush=True)
    sections = [
        "The share of triples in points, means of twelve kinds; a bag of words has 50.",
        summary(models),
        "## By cosine",
        by_kind(models, "Triples"),
        "## By a probe",
        by_kind(models, "TriplesProbe"),
    ]
    figures = {"machine": machine(), "models": models}
    write_results("word_order", "A benchmark of word order", figures, sections)


if __name__ == "__main__":
    main()
