"""Makes the English model that comes with the package, and a larger one.

    python bench/model.py TEACHER CORPUS OUT --work FOLDER [--size large] [--data SENTEVAL ...]

A sentence-transformers model teaches one encoder, the text itself another; side by side they are
the model. All that takes long is kept in the work folder, and whatever interrupts the command, it
goes on where it was. With evaluation data, the card has the model's scores.
"""

import argparse
from dataclasses import dataclass
from datetime import date
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from model_scores import similarity_scores, task_scores

import cmow
from cmow import Encoder, TrainConfig
from cmow.choices import Storage
from cmow.corpus import read_lines
from cmow.distillation import DistillSettings, distill

SETTINGS = DistillSettings(sentences=1_200_000)
TEXT = {"shape": "sum(400)+windows(20)", "max_updates": 30_000, "validation_updates": 3_000}
WEIGHT = 0.4  # of what text has taught, beside the teacher's share
SAMPLE = 5_000  # sentences by which the lengths of embeddings are compared


@dataclass(frozen=True)
class Size:
    """What a model is made of."""

    taught: dict[str, Any]  # settings of distillation
    from_text: tuple[str, ...]  # the parts that are kept of the encoder that text has taught
    storage: Storage


SIZES = {
    "small": Size(
        {"shape": "mean(sum(384))+mean(product(16))+mean(windows(12))"}, ("windows",), "int4"
    ),
    "large": Size(
        {"shape": "mean(sum(384))+mean(product(20))+mean(windows(20))"},
        ("cbow", "windows"),
        "float16",
    ),
}


def side_by_side(taught: Encoder, parts: list[Encoder], texts: list[str], weight: float) -> Encoder:
    """One encoder whose embeddings of texts are mostly the first's.

    :param weight: of the others together, where they are as long as the first's
    """
    share = weight / np.sqrt(len(parts))
    weights = [
        1 / typical_length(taught, texts),
        *(share / typical_length(part, texts) for part in parts),
    ]
    return Encoder.concatenate(taught, *parts, weights=weights)


def typical_length(encoder: Encoder, texts: list[str]) -> float:
    """The median norm of embeddings."""
    return float(np.median(np.linalg.norm(encoder.encode(texts), axis=1)))


def make(teacher: str, corpus: Path, work: Path, size: Size, seed: int) -> Encoder:
    """All of it, from what is in the work folder on."""
    taught = distill(
        teacher,
        corpus,
        {**size.taught, "seed": seed},
        settings=SETTINGS,
        folder=work / f"taught-{size.storage}-{seed}",
        cache=work / "teacher",
        resume=True,
    )
    config = {**TEXT, "seed": seed, "prepare": {"tokenizer": str(work / "teacher/tokenizer.json")}}
    text = cmow.train(
        corpus, TrainConfig.of(config), folder=work / f"text-{seed}", resume=True
    ).averaged()
    sample = list(islice(read_lines(corpus), SAMPLE))
    parts = [text.part(name) for name in size.from_text]
    return side_by_side(taught, parts, sample, WEIGHT).bounded(sample)


def main() -> None:
    """Make a model and its card."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("teacher", help="a sentence-transformers model")
    parser.add_argument("corpus", type=Path, help="text, a sentence a line")
    parser.add_argument("out", type=Path, help="folder of the model")
    parser.add_argument("--work", type=Path, required=True, help="where all is kept")
    parser.add_argument("--size", choices=SIZES, default="small")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--data", type=Path, action="append", default=[])
    parser.add_argument("--about", action="append", default=[], metavar="NAME=TEXT")
    options = parser.parse_args()
    size = SIZES[options.size]
    model = make(options.teacher, options.corpus, options.work, size, options.seed)
    about: dict[str, Any] = {
        "made": date.today().isoformat(),
        "by": "make model",
        "size": options.size,
        "seed": options.seed,
        "corpus": options.corpus.name,
        **dict(each.split("=", 1) for each in options.about),
        "sentences": SETTINGS.sentences,
        "twins": SETTINGS.twins,
        "twin weight": SETTINGS.twin_weight,
        "taught": size.taught["shape"],
        "from text": f"{', '.join(size.from_text)} of {TEXT['shape']}",
        "updates on text": TEXT["max_updates"],
        "weight of what text has taught": WEIGHT,
    }
    model.save(options.out, storage=size.storage, training=about)
    if options.data:
        saved = cmow.load(options.out)
        scores = {**similarity_scores(saved, options.data), **task_scores(saved, options.data)}
        saved.save(options.out, training={**about, "scores on test sets": scores})


if __name__ == "__main__":
    main()
