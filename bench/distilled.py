"""The models that are made here beside their teacher, a bag of words, and other static models.

    python bench/distilled.py TEACHER --model NAME=FOLDER ... --data SENTEVAL [--data PROBING]
        [--held-out TEXT]

Test scores of all; writes results/distilled.json and results/distilled.md. What the results hold
of a model already is not measured again. Needs sentence-transformers, model2vec and wordllama; a
peer that is missing is left out.
"""

import argparse
import json
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any, get_args

import numpy as np
from measuring import RESULTS, machine, table, write_results
from model_scores import moves_as, similarity_scores, task_scores

import cmow
from cmow.corpus import read_lines
from cmow.distillation.teacher import SentenceTransformerTeacher
from cmow.distillation.twins import Reordering, reorder

TWINS = 2_000
COLUMNS = ("STS-B", "SICK-R", "STS12-16", "supervised", "six", "BShift", "neighbors", "arguments")


def model2vec_of(teacher: str) -> Any:
    """A static model of 256 numbers from the same teacher."""
    from model2vec.distill import distill

    return distill(model_name=teacher, pca_dims=256)


def wordllama(_teacher: str) -> Any:
    """The model that comes with its package."""
    import wordllama as library

    class Encoder:
        # Where its package has it; by itself it looks elsewhere, and then on the net.
        model = library.WordLlama.load(cache_dir=Path(library.__file__).parent)

        def encode(self, texts: list[str]) -> np.ndarray:
            return self.model.embed(texts)

    return Encoder()


PEERS: dict[str, Callable[[str], Any]] = {
    "teacher": SentenceTransformerTeacher,
    "model2vec from the same teacher, 256": model2vec_of,
    "WordLlama, 256": wordllama,
}


def twins_of(held_out: Path, kind: Reordering) -> list[tuple[str, str]]:
    """Sentences that nothing has learned from, and the same words in another order."""
    generator = np.random.default_rng(7)
    pairs = ((text, reorder(text, kind, generator)) for text in read_lines(held_out))
    return list(islice(((text, twin) for text, twin in pairs if twin is not None), TWINS))


def main() -> None:
    """Score what is new, and write everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("teacher", help="a sentence-transformers model")
    parser.add_argument("--model", action="append", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--held-out", type=Path, help="text that was not learnt from")
    options = parser.parse_args()
    makers: dict[str, Callable[[str], Any]] = dict(PEERS)
    for each in options.model:
        name, folder = each.split("=", 1)
        makers[name] = lambda _teacher, folder=folder: cmow.load(folder)
    kept = RESULTS / "distilled.json"
    known = json.loads(kept.read_text("utf-8"))["models"] if kept.is_file() else {}
    teacher = SentenceTransformerTeacher(options.teacher)
    models: dict[str, Any] = {}
    for name, make in makers.items():
        if name in known:
            models[name] = known[name]
            continue
        try:
            encoder = make(options.teacher)
        except ImportError:
            continue
        scores = {**similarity_scores(encoder, options.data), **task_scores(encoder, options.data)}
        for kind in get_args(Reordering)[:2] if options.held_out is not None else ():
            scores[kind] = moves_as(encoder, teacher, twins_of(options.held_out, kind))
        models[name] = scores
        print(name, scores, flush=True)
        write(models | {name: known[name] for name in makers if name in known})
    write(models)


def models_table(models: dict[str, Any]) -> str:
    """A row for each model."""
    rows = [
        [name, *(f"{scores[column]:.1f}" if column in scores else "" for column in COLUMNS)]
        for name, scores in models.items()
    ]
    return table(["model", *COLUMNS], rows)


def write(models: dict[str, Any]) -> None:
    """The page and its figures."""
    sections = [
        "Test sets. STS-B, SICK-R and STS12 to STS16 (their mean): Spearman's correlation of "
        "cosines, all pairs. Supervised: the mean of the paper's eleven tasks, by a classifier on "
        "embeddings of length 1; six: of MR, CR, SUBJ, TREC, SST2 and MRPC. BShift is the probing "
        f"task on word order, rebuilt. Neighbours, arguments: of {TWINS:,} sentences that were not "
        "learnt from, the share whose embedding moves as the teacher's does when two words are "
        "exchanged (50 is what a bag of words has).",
        models_table(models),
    ]
    figures = {"machine": machine(), "models": models}
    write_results("distilled", "Distilled models", figures, sections)


if __name__ == "__main__":
    main()
