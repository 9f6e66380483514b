"""Processes that join their tables now and then, beside one with as many threads.

    python bench/averaging.py PREPARED --data SENTEVAL --data PROBING --models FOLDER
    [--updates 30000] [--every 50 200 1000]

Trains by the recipe of `cmow train`, at equal updates on equal sentences: one process of two
threads, and two processes of one thread that meet every so many updates. Scores are of development
data.
Writes results/averaging.json and results/averaging.md; trials that they hold already are not done
again. 30,000 updates take some 15 minutes a trial on two cores.
"""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
from measuring import OURS, VOCABULARY, machine, table, write_results
from model_scores import ORDER, Unit, development_scores
from trials import Settings, done_trials, known_trials

from cmow import Encoder, load
from cmow.corpus import Corpus
from cmow.encoder import Shape
from cmow.evaluation import DataFolder
from cmow.evaluation.correlation import spearman
from cmow.evaluation.tasks.benchmark import read_benchmark

PROCESSES = 2
EVERY = [50, 200, 1000]
MACHINES = 8  # of the sums on paper
TORCHRUN = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", str(PROCESSES)]


def train(corpus: Path, place: Path, settings: Settings) -> float:
    """Train by the command line, and tell the CPU's seconds, which other work disturbs little."""
    together = "average_updates" in settings
    flags = {**settings, "threads": 1 if together else PROCESSES, "validation_updates": 10**6}
    line = [f"--{name.replace('_', '-')}={value}" for name, value in flags.items()]
    command = ["-m", "cmow", "train", corpus, place, *line, "--resume"]
    before = children_seconds()
    subprocess.run([sys.executable, *(TORCHRUN if together else []), *command], check=True)
    return children_seconds() - before


def children_seconds() -> float:
    """What ended children have had of the CPU."""
    times = os.times()
    return times.children_user + times.children_system


def score(encoder: Encoder, data: list[Path]) -> dict[str, float]:
    """The validation loss and two development scores: similarity, and order."""
    _, pairs, _ = read_benchmark(DataFolder(data))
    one, other = (Unit(encoder).encode(texts) for texts in (pairs.first, pairs.second))
    cosines = np.einsum("ij,ij->i", one, other).astype(np.float64)
    return {
        "validation loss": encoder.training["validation_loss"],
        "STS-B": 100 * spearman(cosines, pairs.values),
        **development_scores(Unit(encoder), data, [ORDER]),
    }


def trials_table(trials: dict[str, Any]) -> str:
    """A row for each trial."""
    rows = [
        [
            name,
            f"{scores['validation loss']:.3f}",
            f"{scores['STS-B']:.1f}",
            f"{scores[ORDER]:.1f}",
            f"{scores['seconds']:,.0f}",
        ]
        for name, scores in ((name, trial["scores"]) for name, trial in trials.items())
    ]
    return table(["", "validation loss", "STS-B", ORDER, "CPU-seconds"], rows)


def wire(update: float) -> str:
    """On paper: what machines send to each other, if an update takes so many seconds."""
    width = sum(part.monoid.row_width for part in Shape.parse(OURS)) + Shape.parse(OURS).dim
    held = 3 * 4 * VOCABULARY * width  # tables and both moments, in float32
    sent = 2 * (MACHINES - 1) / MACHINES * held
    rows = [
        [every, f"{sent / every / update / 1e6:,.0f}", f"{sent / every / update / 1.25e8:.2g}"]
        for every in EVERY
    ]
    head = ["updates between meetings", "megabytes a second from each machine", "in Gbit/s"]
    return (
        f"The tables of {OURS} with {VOCABULARY:,} words, the output table and the moments of both "
        f"are {held / 1e6:,.0f} MB. Of a sum over {MACHINES} machines each sends "
        f"{sent / 1e9:.2f} GB. If each takes as many sentences in an update as one machine does "
        f"by our recipe, whose updates took {1000 * update:.0f} ms on two cores, the wire "
        "carries\n\n" + table(head, rows)
    )


def main() -> None:
    """Train and score all that is new, and write everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path, help="a prepared corpus")
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--models", type=Path, required=True, help="where they are trained")
    parser.add_argument("--updates", type=int, default=30_000)
    parser.add_argument("--every", type=int, nargs="+", default=EVERY)
    parser.add_argument("--settings", default="{}", help="further settings, as JSON")
    options = parser.parse_args()
    common = {"max_updates": options.updates, **json.loads(options.settings)}
    trials = {"one process of two threads": common}
    for every in options.every:
        name = f"two processes of one thread, joined every {every:,} updates"
        trials[name] = {**common, "average_updates": every}

    def scores_of(number: int, settings: Settings) -> dict[str, float]:
        place = options.models / f"averaging-{number}"
        seconds = train(options.corpus, place, settings)
        return {**score(load(place), options.data), "seconds": seconds}

    found = done_trials(trials, known_trials("averaging"), scores_of)
    sections = [
        f"{common.get('shape', OURS)} by our recipe, {options.updates:,} updates on "
        f"{Corpus.open(options.corpus).tokens:,} tokens, one seed. STS-B: Spearman's correlation "
        "of cosines on its development pairs; BShift: accuracy on development sentences.",
        trials_table(found),
    ]
    figures = {"machine": machine("torch"), "trials": found}
    write_results("averaging", "Several processes", figures, sections)


if __name__ == "__main__":
    main()
