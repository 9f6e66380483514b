"""Agreement with SentEval's own toolkit, which scores the same embeddings as we do.

    python bench/senteval.py --toolkit CHECKOUT --data SENTEVAL --model MODEL [--tasks CR,TREC]

CHECKOUT is a copy of the repository facebookresearch/SentEval, SENTEVAL its data folder. Adds to
results/senteval.json and writes results/senteval.md: the toolkit takes hours for all tasks, so they
can be run a few at a time, and its scores are kept while ours are made anew. Fewer --folds, on both
sides, take less. Needs torch, SciPy and scikit-learn; the toolkit wants a GPU and an older Python,
and is made to do without.
"""

import argparse
import inspect
import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import torch
from measuring import RESULTS, machine, table, write_results

from cmow import Encoder, load
from cmow.choices import EvaluationClassifier
from cmow.evaluation import evaluate, protocols, senteval

TOOLKIT_NAMES = {"SICK-E": "SICKEntailment", "SICK-R": "SICKRelatedness", "STS-B": "STSBenchmark"}
CROSS_VALIDATED = ("SUBJ", "CR", "MR", "MPQA")
SMALL_TEST_SET = ("MRPC", "TREC", "SICK-E", "SST2", "SST5", "STS-B", "SICK-R")
COSINES = ("STS12", "STS13", "STS14", "STS15", "STS16")
LIMITS = {
    **dict.fromkeys(CROSS_VALIDATED, 1.0),
    **dict.fromkeys(SMALL_TEST_SET, 2.0),
    **dict.fromkeys(COSINES, 0.01),
}
# What the toolkit's authors recommend for results to be compared.
STANDARD = {
    "usepytorch": True,
    "kfold": 10,
    "classifier": {"nhid": 0, "optim": "adam", "batch_size": 64, "tenacity": 5, "epoch_size": 4},
}
PLAIN = {"usepytorch": False, "kfold": 10, "classifier": {"nhid": 0}}


def do_without_gpu() -> None:
    """Let whatever the toolkit sends to a GPU stay where it is."""
    inspect.getargspec = inspect.getfullargspec  # the name that it has in older Pythons
    if torch.cuda.is_available():
        return
    to = torch.Tensor.to
    torch.Tensor.cuda = torch.nn.Module.cuda = lambda self, *_, **__: self
    torch.Tensor.to = lambda self, *args, **options: to(
        self, *("cpu" if str(arg) == "cuda" else arg for arg in args), **options
    )
    torch.cuda.is_available = lambda: True
    torch.cuda.manual_seed = lambda _: None


def toolkit_score(encoder: Encoder, data: Path, task: str, configuration: dict[str, Any]) -> float:
    """The toolkit's score in points: accuracy, or Pearson's correlation."""
    from senteval.engine import SE

    def batcher(_: object, batch: list[list[str]]) -> np.ndarray:
        return encoder.encode([" ".join(tokens) for tokens in batch])

    engine = SE({"task_path": str(data), "batch_size": 512, **configuration}, batcher)
    result = engine.eval(TOOLKIT_NAMES.get(task, task))
    if task in COSINES:
        return 100 * float(result["all"]["pearson"]["mean"])
    return float(result["acc"] if "acc" in result else 100 * result["pearson"])


def compare(
    encoder: Encoder,
    data: Path,
    task: str,
    configuration: dict[str, Any],
    known: dict[str, Any],
) -> dict[str, Any]:
    """Both of our scores, the toolkit's, and what they took."""
    if "SentEval" not in known:
        started = time.process_time()
        known["SentEval"] = toolkit_score(encoder, data, task, configuration)
        known["SentEval CPU seconds"] = time.process_time() - started
    started = time.process_time()
    solved = our_score(encoder, data, task, "solved")
    between = time.process_time()
    alike = our_score(encoder, data, task, "senteval")
    return {
        "cmow, solved": solved,
        "cmow, as SentEval": alike,
        "SentEval": known["SentEval"],
        "solved - SentEval": solved - known["SentEval"],
        "difference": alike - known["SentEval"],
        "limit": LIMITS[task],
        "solved, CPU seconds": between - started,
        "as SentEval, CPU seconds": time.process_time() - between,
        "SentEval CPU seconds": known["SentEval CPU seconds"],
    }


def our_score(encoder: Encoder, data: Path, task: str, classifier: EvaluationClassifier) -> float:
    """Our score by one of the two classifiers."""
    report = evaluate(encoder, data=data, tasks=[task], classifier=classifier)
    return report.runs["model"][task].result.score


def sections(figures: dict[str, Any]) -> list[str]:
    """A table for each model and configuration."""
    made = [
        "The toolkit's standard configuration (PyTorch, Adam, early stopping) and ours, with the "
        "same embeddings; points of accuracy, or of Pearson's correlation for STS and SICK-R. The "
        "limits: ±1 on cross-validated tasks, ±2 on small test sets; cosines are to be the same. "
        "*Solved* is our default, *as SentEval* is `--classifier senteval`; the *difference* is "
        "that of the latter to the toolkit, or else of the only one that was run. Fewer folds than "
        "ten are so on both sides."
    ]
    for title, rows in figures["models"].items():
        within = sum(abs(row["difference"]) <= row["limit"] for row in rows.values())
        head = ["task", *next(iter(rows.values()))]
        ordered = [task for task in LIMITS if task in rows]
        made += [
            f"## {title}",
            f"{figures['made'][title]}. Within the limit: {within} of {len(rows)} tasks.",
            table(head, [[task, *rows[task].values()] for task in ordered]),
        ]
    return made


def recorded() -> dict[str, Any]:
    """What was found before: the rows of each model, and where they were made."""
    file = RESULTS / "senteval.json"
    figures: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {}
    return {"models": figures.get("models", {}), "made": figures.get("made", {})}


def record(title: str, task: str, row: dict[str, Any]) -> None:
    """Add a row to the results."""
    today, found = machine("torch", "scikit-learn"), recorded()
    found["models"].setdefault(title, {})[task] = row
    found["made"][title] = f"Made on {today['date']}, {today['cpu']}"
    figures = {"machine": today, **found}
    write_results("senteval", "Agreement with SentEval's toolkit", figures, sections(figures))


def main() -> None:
    """Compare task by task, and write after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--toolkit", type=Path, required=True, help="a checkout of SentEval")
    parser.add_argument("--data", type=Path, required=True, help="SentEval's data folder")
    parser.add_argument("--model", type=Path, required=True, help="a model's folder")
    parser.add_argument("--part", help="a part of the model, such as cbow")
    parser.add_argument("--folds", type=int, default=10, help="of cross-validation, on both sides")
    parser.add_argument("--tasks", default=",".join(LIMITS), help="names with commas between them")
    parser.add_argument(
        "--scikit-learn", action="store_true", help="the toolkit's second configuration"
    )
    options = parser.parse_args()
    sys.path.insert(0, str(options.toolkit))  # the toolkit is no package that could be installed
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    do_without_gpu()
    model = load(options.model)
    encoder = model.part(options.part) if options.part else model
    title = f"{', '.join(part.name for part in encoder.parts)}: {encoder.dim} dimensions"
    title += ", scikit-learn" if options.scikit_learn else ""
    title += f", {options.folds} folds" if options.folds != 10 else ""
    protocols.FOLDS = senteval.FOLDS = options.folds
    configuration = {**(PLAIN if options.scikit_learn else STANDARD), "kfold": options.folds}
    for task in options.tasks.split(","):
        known = recorded()["models"].get(title, {}).get(task, {})
        record(title, task, compare(encoder, options.data, task, configuration, known))


if __name__ == "__main__":
    main()
