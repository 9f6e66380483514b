"""Finds out that training has gone wrong, and where."""

import math

import numpy as np

from cmow import _core
from cmow.errors import DivergenceError
from cmow.text import Vocabulary
from cmow.threads import thread_count
from cmow.training.objectives import Objective
from cmow.training.parameters import Parameters, Trained
from cmow.training.state import State

EXPLODED = 10.0  # times the loss of guessing


def loss_problem(loss: float | None, objective: Objective) -> str | None:
    """What is wrong with the loss of an example, if anything."""
    if loss is None:
        return None
    if not math.isfinite(loss):
        return f"the loss is {loss}"
    if loss > EXPLODED * objective.guessing_loss():
        return f"the loss has exploded to {loss:.4g}"
    return None


def bad_row(parameters: Parameters, vocabulary: Vocabulary) -> str | None:
    """The first row of a table that is not finite, if there is any."""
    for trained in parameters:
        row = _core.scan_table(trained.table, None, thread_count(None))[0]
        if row >= 0:
            return f"row {row}{_word(row, trained, vocabulary)} of {trained.name} is not finite"
    return None


def diverged(
    problem: str,
    state: State,
    parameters: Parameters,
    vocabulary: Vocabulary,
    *,
    checkpoint: int | None,
) -> DivergenceError:
    """The error that tells what went wrong, where, and how to go on.

    :param checkpoint: update of the last good one
    """
    losses = ", ".join(f"{loss:.4g}" for loss in state.last_losses)
    row = bad_row(parameters, vocabulary) or _largest_row(parameters, vocabulary)
    kept = "" if checkpoint is None else f"; the checkpoint of update {checkpoint} is intact"
    return DivergenceError(
        f"update {state.update}: {problem} (learning rate {state.learning_rate:.3g}, "
        f"last losses {losses}): "
        f"{row}; lower learning_rate, product_rate or sigma{kept}"
    )


def _largest_row(parameters: Parameters, vocabulary: Vocabulary) -> str:
    largest, magnitude, row = parameters.parts[0], -1.0, 0
    for trained in parameters:
        magnitudes = np.maximum(trained.table.max(axis=1), -trained.table.min(axis=1))
        if magnitudes.max() > magnitude:
            largest, magnitude, row = trained, float(magnitudes.max()), int(magnitudes.argmax())
    word = _word(row, largest, vocabulary)
    return f"row {row}{word} of {largest.name} has the largest number, {magnitude:.3g}"


def _word(row: int, trained: Trained, vocabulary: Vocabulary) -> str:
    """The word that a row belongs to, in brackets; tables of an objective may have other rows."""
    words = vocabulary.words
    return f" ({words[row]!r})" if len(trained.table) == len(words) else ""
