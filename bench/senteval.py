"""Agreement with SentEval's own toolkit, which scores the same embeddings as we do.

    python bench/senteval.py --toolkit CHECKOUT --data SENTEVAL --model MODEL [--tasks CR,TREC]

CHECKOUT is a copy of the repository facebookresearch/SentEval, SENTEVAL its data folder. Adds to
results/senteval.json and writes results/senteval.md: the toolkit takes hours for all tasks, so they
can be run a few at a time. Needs torch, SciPy and scikit-learn; the toolkit wants a GPU, and is
made to do without one.
"""

import argparse
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
from cmow.evaluation import evaluate

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
    import senteval

    def batcher(_: object, batch: list[list[str]]) -> np.ndarray:
        return encoder.encode([" ".join(tokens) for tokens in batch])

    engine = senteval.engine.SE(
        {"task_path": str(data), "batch_size": 512, **configuration}, batcher
    )
    result = engine.eval(TOOLKIT_NAMES.get(task, task))
    if task in COSINES:
        return 100 * float(result["all"]["pearson"]["mean"])
    return float(result["acc"] if "acc" in result else 100 * result["pearson"])


def compare(
    encoder: Encoder, data: Path, task: str, configuration: dict[str, Any]
) -> dict[str, Any]:
    """Both scores and what they took."""
    started = time.process_time()
    ours = evaluate(encoder, data=data, tasks=[task]).runs["model"][task].result.score
    between = time.process_time()
    theirs = toolkit_score(encoder, data, task, configuration)
    return {
        "cmow": ours,
        "SentEval": theirs,
        "difference": ours - theirs,
        "limit": LIMITS[task],
        "cmow CPU seconds": between - started,
        "SentEval CPU seconds": time.process_time() - between,
    }


def sections(figures: dict[str, Any]) -> list[str]:
    """A table for each model and configuration."""
    made = [
        "The toolkit's standard configuration (PyTorch, Adam, early stopping) and ours, with the "
        "same embeddings; points of accuracy, or of Pearson's correlation for STS and SICK-R. The "
        "limits: ±1 on cross-validated tasks, ±2 on small test sets; cosines are to be the same."
    ]
    for title, rows in figures["models"].items():
        within = sum(abs(row["difference"]) <= row["limit"] for row in rows.values())
        head = ["task", *next(iter(rows.values()))]
        ordered = [task for task in LIMITS if task in rows]
        made += [
            f"## {title}",
            f"Within the limit: {within} of {len(rows)} tasks.",
            table(head, [[task, *rows[task].values()] for task in ordered]),
        ]
    return made


def record(title: str, task: str, row: dict[str, Any]) -> None:
    """Add a row to the results."""
    file = RESULTS / "senteval.json"
    models = json.loads(file.read_text())["models"] if file.exists() else {}
    models.setdefault(title, {})[task] = row
    figures = {"machine": machine("torch", "scikit-learn"), "models": models}
    write_results("senteval", "Agreement with SentEval's toolkit", figures, sections(figures))


def main() -> None:
    """Compare task by task, and write after each."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--toolkit", type=Path, required=True, help="a checkout of SentEval")
    parser.add_argument("--data", type=Path, required=True, help="SentEval's data folder")
    parser.add_argument("--model", type=Path, required=True, help="a model's folder")
    parser.add_argument("--part", help="a part of the model, such as cbow")
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
    for task in options.tasks.split(","):
        row = compare(encoder, options.data, task, PLAIN if options.scikit_learn else STANDARD)
        record(title, task, row)


if __name__ == "__main__":
    main()
