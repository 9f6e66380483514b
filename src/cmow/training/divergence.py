"""Finds out that training has gone wrong, and where."""

import math

import numpy as np

from cmow import _core
from cmow.errors import DivergenceError
from cmow.text import Vocabulary
from cmow.threads import thread_count
from cmow.training.config import TrainConfig
from cmow.training.parameters import Parameters
from cmow.training.state import State

EXPLODED = 10.0  # times the loss of guessing


def loss_problem(loss: float | None, config: TrainConfig) -> str | None:
    """What is wrong with a loss, if anything."""
    if loss is None:
        return None
    if not math.isfinite(loss):
        return f"the loss is {loss}"
    guesses = 1 + (1 if config.negatives_loss == "mean" else config.negatives)
    if loss > EXPLODED * guesses * math.log(2):
        return f"the loss has exploded to {loss:.4g}"
    return None


def bad_row(parameters: Parameters, vocabulary: Vocabulary) -> str | None:
    """The first row of a table that is not finite, if there is any."""
    for trained in parameters:
        row = _core.scan_table(trained.table, None, thread_count(None))[0]
        if row >= 0:
            return f"row {row} ({vocabulary.words[row]!r}) of {trained.name} is not finite"
    return None


def diverged(
    problem: str,
    state: State,
    rate: float,
    parameters: Parameters,
    vocabulary: Vocabulary,
    *,
    checkpoint: int | None,
) -> DivergenceError:
    """The error that tells what went wrong, where, and how to go on.

    :param rate: learning rate of the last update
    :param checkpoint: update of the last good one
    """
    losses = ", ".join(f"{loss:.4g}" for loss in state.last_losses)
    row = bad_row(parameters, vocabulary) or _largest_row(parameters, vocabulary)
    kept = "" if checkpoint is None else f"; the checkpoint of update {checkpoint} is intact"
    return DivergenceError(
        f"update {state.update}: {problem} (learning rate {rate:.3g}, last losses {losses}): "
        f"{row}; lower learning_rate, product_rate or sigma{kept}"
    )


def _largest_row(parameters: Parameters, vocabulary: Vocabulary) -> str:
    magnitude, row, name = max(
        (float(magnitudes.max()), int(magnitudes.argmax()), trained.name)
        for trained in parameters
        for magnitudes in [np.maximum(trained.table.max(axis=1), -trained.table.min(axis=1))]
    )
    word = vocabulary.words[row]
    return f"row {row} ({word!r}) of {name} has the largest number, {magnitude:.3g}"
