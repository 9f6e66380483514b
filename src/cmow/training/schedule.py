"""The learning rate of each update."""

import math

from cmow.training.config import TrainConfig


def learning_rate(config: TrainConfig, update: int, total: int | None) -> float:
    """The rate of an update, counted from 0.

    :param total: number of updates until the rate has decayed to nothing; None with a constant rate
    """
    if update < config.warmup_updates:
        return config.learning_rate * (update + 1) / config.warmup_updates
    if config.schedule == "constant" or total is None:
        return config.learning_rate
    # The last update has a small rate, not none at all.
    left = (total - update) / (total - config.warmup_updates)
    if config.schedule == "cosine":
        left = (1 - math.cos(math.pi * left)) / 2
    return config.learning_rate * left


def total_updates(config: TrainConfig, sentences: int) -> int | None:
    """The number of updates after which a run ends at the latest, if there is one.

    :param sentences: in an epoch
    """
    ends = []
    if config.last_update is not None:
        ends.append(config.last_update)
    if config.epochs is not None:
        ends.append(math.ceil(config.epochs * sentences / config.batch_sentences))
    return min(ends, default=None)
