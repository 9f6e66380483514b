"""Text and a teacher at once, or side by side, for as many bytes: by development data alone.

    python bench/both.py JOINT SIDE --data SENTEVAL [--data PROBING]

JOINT is a model of `cmow train --teacher`, SIDE one of bench/model.py. Writes results/both.json and
results/both.md.
"""

import argparse
from pathlib import Path
from statistics import fmean

from measuring import machine, table, write_results
from model import WEIGHT, typical_length
from model_scores import ORDER, Unit, development_cosines, development_scores

import cmow
from cmow import Encoder
from cmow.encoder import Projection
from cmow.evaluation import DataFolder, paper_tasks
from cmow.evaluation.tasks.benchmark import read_benchmark


def with_views(encoder: Encoder, texts: list[str]) -> Encoder:
    """Embeddings that show the parts as they are as well, behind what they are mapped to."""
    plain = Encoder(encoder.tokenizer, encoder.parts)
    lengths = [typical_length(each, texts) for each in (encoder, plain)]
    mapped, views = encoder.projection, Projection.side_by_side(encoder.parts)
    names = {part.name: part.name for part in encoder.parts}
    both = Projection.united(
        [mapped.scaled(1 / lengths[0]), views.scaled(WEIGHT / lengths[1])], [names, names]
    )
    return Encoder(encoder.tokenizer, encoder.parts, projection=both)


def score(encoder: Encoder, data: list[Path]) -> dict[str, float]:
    """Development scores: cosines, the supervised tasks, and BShift."""
    scores = development_scores(Unit(encoder), data, [*paper_tasks("supervised"), ORDER])
    supervised = fmean(scores[task] for task in paper_tasks("supervised"))
    return {
        **development_cosines(encoder, data),
        "supervised": supervised,
        ORDER: scores[ORDER],
    }


def both_table(models: dict[str, dict[str, float]]) -> str:
    """A row for each way."""
    columns = list(next(iter(models.values())))
    rows = [
        [name, str(scores[columns[0]]), *(f"{scores[column]:.1f}" for column in columns[1:])]
        for name, scores in models.items()
    ]
    return table(["", *columns], rows)


def main() -> None:
    """Score all three, and write everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("joint", type=Path)
    parser.add_argument("side", type=Path)
    parser.add_argument("--data", type=Path, action="append", required=True)
    options = parser.parse_args()
    joint, side = cmow.load(options.joint), cmow.load(options.side)
    training, *_ = read_benchmark(DataFolder(options.data))
    texts = training.first[:2000]
    models = {
        "at once, mapped": joint,
        "at once, mapped and as they are": with_views(joint, texts),
        "side by side": side,
    }
    found = {}
    for name, encoder in models.items():
        numbers = sum(part.shape.monoid.row_width for part in encoder.parts)
        found[name] = {"numbers of a word": numbers, **score(encoder, options.data)}
        print(name, found[name], flush=True)
    sections = [
        "Spearman's correlation of cosines on development pairs of STS-B and training pairs "
        "of SICK; development scores of the paper's eleven supervised tasks (mean) and of BShift.",
        both_table(found),
    ]
    figures = {"machine": machine(), "models": found}
    write_results("both", "Text and a teacher", figures, sections)


if __name__ == "__main__":
    main()
