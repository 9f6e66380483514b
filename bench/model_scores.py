"""How good embeddings are, in few figures; any object with ``encode`` will do."""

from collections.abc import Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np

from cmow.evaluation import TASKS, DataFolder, evaluate, paper_tasks
from cmow.evaluation.correlation import spearman
from cmow.evaluation.tasks.benchmark import read_benchmark

COSINES = ("STS-B-cosine", "SICK-R-cosine")
SIX = ("MR", "CR", "SUBJ", "TREC", "SST2", "MRPC")
ORDER = "BShift"
OTHERS = 500


class Unit:
    """The embeddings of an encoder, each of length 1."""

    def __init__(self, encoder: Any) -> None:
        self._encoder = encoder

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """A row a text."""
        rows = np.asarray(self._encoder.encode(list(texts)), np.float32)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(norms > 0, norms, 1)


def similarity_scores(encoder: Any, data: list[Path]) -> dict[str, float]:
    """Spearman's correlation of cosines and test pairs, in points."""
    years = paper_tasks("unsupervised")
    runs = evaluate(Unit(encoder), data=data, tasks=[*years, *COSINES]).runs["model"]
    found = {name: run.result.scores["Spearman, all pairs"] for name, run in runs.items()}
    return {
        "STS-B": round(found[COSINES[0]], 1),
        "SICK-R": round(found[COSINES[1]], 1),
        "STS12-16": round(fmean(found[year] for year in years), 1),
    }


def development_cosines(encoder: Any, data: list[Path]) -> dict[str, float]:
    """Spearman's correlation of cosines, in points, by pairs that no test score is of."""
    folder = DataFolder(data)
    _, development, _ = read_benchmark(folder)
    pairs = {"STS-B": development, "SICK-R": TASKS["SICK-R"].read(folder)[0]}
    found = {}
    for name, some in pairs.items():
        one, other = (Unit(encoder).encode(texts) for texts in (some.first, some.second))
        cosines = np.einsum("ij,ij->i", one, other).astype(np.float64)
        found[name] = 100 * spearman(cosines, some.values)
    return found


def development_scores(encoder: Any, data: list[Path], tasks: Sequence[str]) -> dict[str, float]:
    """What a classifier on embeddings reaches on development sentences or inner folds."""
    runs = evaluate(encoder, data=data, tasks=list(tasks)).runs["model"]
    found = {}
    for task in tasks:
        details = runs[task].result.details
        metric = "Pearson" if "development Pearson" in details else "accuracy"
        found[task] = details[f"development {metric}"]
    return found


def task_scores(encoder: Any, data: list[Path]) -> dict[str, float]:
    """Test scores of a classifier on embeddings: the paper's eleven tasks, six of them, BShift."""
    tasks = paper_tasks("supervised")
    runs = evaluate(Unit(encoder), data=data, tasks=[*tasks, ORDER]).runs["model"]
    scores = {name: run.result.score for name, run in runs.items()}
    found = {
        "supervised": round(fmean(scores[task] for task in tasks), 1),
        "six": round(fmean(scores[task] for task in SIX), 1),
    }
    return {**found, ORDER: round(scores[ORDER], 1)} if ORDER in scores else found


def moves_as(encoder: Any, teacher: Any, pairs: Sequence[tuple[str, str]]) -> float:
    """The share of reordered texts whose embedding moves to where the teacher's does, in points.

    Where it moves is told by the cosines to other texts, so that the two need no common axes. One
    that does not move at all counts half: a bag of words has 50.
    """
    originals, twins = zip(*pairs, strict=True)
    ways = []
    for each in (encoder, teacher):
        left, right = Unit(each).encode(originals), Unit(each).encode(twins)
        ways.append((right - left) @ left[:OTHERS].T)
    ours, theirs = ways
    still = np.abs(ours).max(axis=1) < 1e-5
    agrees = np.einsum("ij,ij->i", ours, theirs) > 0
    return round(100 * float(np.mean(np.where(still, 0.5, agrees))), 1)
