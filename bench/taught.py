"""What each choice of the English model is worth, by development data alone.

    python bench/taught.py TEACHER CORPUS HELD_OUT --data SENTEVAL --work FOLDER

The teacher embeds SENTENCES of the corpus once; then a student is taught for each line of TRIALS.
What takes long stays in the work folder: whatever interrupts the command, it goes on where it was.
Writes results/taught.json and results/taught.md; trials that they hold already are not done again.
Needs sentence-transformers.
"""

import argparse
from pathlib import Path
from typing import Any, get_args

from distilled import twins_of
from measuring import machine, table, write_results
from model_scores import development_cosines, moves_as
from trials import Settings, done_trials, known_trials

from cmow.distillation import DistillSettings, distill
from cmow.distillation.teacher import SentenceTransformerTeacher
from cmow.distillation.twins import Reordering

SENTENCES = 400_000
TWIN_WEIGHT = DistillSettings().twin_weight
BAG, PRODUCT, WINDOWS = "mean(sum(384))", "mean(product(16))", "mean(windows(12))"
ALL = f"{BAG}+{PRODUCT}+{WINDOWS}"
WORDS = {"tokenizer": "words", "lowercase": True, "vocabulary_size": 30_000}
TRIALS: dict[str, Settings] = {
    "vectors alone, of the 30,000 most frequent words": {"shape": BAG, "prepare": WORDS},
    "vectors alone, of pieces of words": {"shape": BAG},
    "and matrices in products": {"shape": f"{BAG}+{PRODUCT}"},
    "and matrices in windows": {"shape": f"{BAG}+{WINDOWS}"},
    "and both, as in the model": {"shape": ALL},
    "both, nothing learned from twins": {"shape": ALL, "twin_weight": 0.0},
    "both, twins count five times as much": {"shape": ALL, "twin_weight": 1.0},
    "both, a rate of 0.0015": {"shape": ALL, "learning_rate": 1.5e-3},
    "both, a rate of 0.006": {"shape": ALL, "learning_rate": 6e-3},
    "both, twice as many passes": {"shape": ALL, "epochs": 6.0},
}
KINDS: tuple[Reordering, ...] = get_args(Reordering)[:2]


def taught_table(trials: dict[str, Any]) -> str:
    """Development scores of all trials."""
    columns = list(next(iter(trials.values()))["scores"])
    rows = [
        [name, *(f"{trial['scores'][column]:.1f}" for column in columns)]
        for name, trial in trials.items()
    ]
    return table(["what is learned", *columns], rows)


def main() -> None:
    """Teach and score all that is new, and write everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("teacher", help="a sentence-transformers model")
    parser.add_argument("corpus", type=Path, help="text, a sentence a line")
    parser.add_argument("held_out", type=Path, help="other text, that nobody learns from")
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--work", type=Path, required=True, help="where all is kept")
    options = parser.parse_args()
    teacher = SentenceTransformerTeacher(options.teacher)
    twins = {kind: twins_of(options.held_out, kind) for kind in KINDS}

    def scores_of(number: int, settings: Settings) -> dict[str, float]:
        chosen = {"sentences": SENTENCES, "twin_weight": settings.get("twin_weight", TWIN_WEIGHT)}
        student = distill(
            options.teacher,
            options.corpus,
            {name: value for name, value in settings.items() if name not in chosen},
            settings=DistillSettings(**chosen),
            folder=options.work / f"student-{number}",
            cache=options.work / "teacher",
            resume=True,
        )
        moves = {kind: moves_as(student, teacher, pairs) for kind, pairs in twins.items()}
        return {**development_cosines(student, options.data), **moves}

    trials = done_trials(TRIALS, known_trials("taught"), scores_of)
    sections = [
        f"Students of {SENTENCES:,} sentences, one seed, scored by development data: Spearman's "
        "correlation of cosines on the development pairs of STS-B and the training pairs of SICK; "
        "of 2,000 sentences that nobody learned from, the share whose embedding moves as the "
        "teacher's does when two neighbors, or two long words, are exchanged (a bag of words has "
        "50).",
        taught_table(trials),
    ]
    figures = {"machine": machine(), "trials": trials}
    write_results("taught", "What each choice is worth", figures, sections)


if __name__ == "__main__":
    main()
