"""The course of a run: what its learning rate is, and when it is validated and ends.

Either the updates are planned or, if neither they nor the epochs are limited, the minutes. The
minutes of a run that is resumed go on from those that it has taken already.
"""

import math

from cmow.training.config import TrainConfig

VALIDATIONS = 10  # of a run that is planned by the clock, at least


def learning_rate(
    config: TrainConfig, update: int, total: int | None, *, seconds: float = 0.0
) -> float:
    """The rate of an update, counted from 0.

    :param total: number of updates until the rate has decayed to nothing; None with a constant
        rate, or if the clock decides
    :param seconds: taken so far
    """
    if update < config.warmup_updates:
        return config.learning_rate * (update + 1) / config.warmup_updates
    if config.schedule == "constant":
        return config.learning_rate
    # The last update has a small rate, not none at all.
    if total is None:
        left = 1 - progress_by_clock(config, seconds)
    else:
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


def validation_is_due(config: TrainConfig, update: int, before: float, now: float) -> bool:
    """Whether an update is to be followed by a validation; at the end by the clock it always is.

    :param update: number of updates done
    :param before: seconds taken until this update began
    :param now: until it was done
    """
    if update % config.validation_updates == 0:
        return True
    return config.by_clock and _validations(config, before) < _validations(config, now)


def progress_by_clock(config: TrainConfig, seconds: float) -> float:
    """How far a run has come, from 0 to 1, if the clock decides; else it stays at the start."""
    if not config.by_clock or config.max_minutes is None:
        return 0.0
    return min(seconds / (60 * config.max_minutes), 1.0)


def _validations(config: TrainConfig, seconds: float) -> int:
    return int(VALIDATIONS * progress_by_clock(config, seconds))
