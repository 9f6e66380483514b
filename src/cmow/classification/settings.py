"""What learning from labels can be told, beside the settings of training."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from cmow.errors import ConfigError
from cmow.settings import Settings, number, optional, setting, switch, understood, whole

BALANCED = "balanced"


def read_rates(rates: Any) -> dict[str, float] | float:
    """How fast parts learn: one number for all, or several by name, such as cbow=0,cmow=0.5."""
    if isinstance(rates, (int, float)):
        return _number(rates)
    if isinstance(rates, str) and "=" not in rates:
        return _number(rates)
    return _by_name(rates)


def read_weights(weights: Any) -> dict[str, float] | None:
    """How much classes count: None if it is to be balanced, or by name, such as yes=2,no=1."""
    return None if weights == BALANCED else _by_name(weights)


def _by_name(values: Any) -> dict[str, float]:
    if isinstance(values, Mapping):
        return {str(name): _number(value) for name, value in values.items()}
    pairs = (pair.rpartition("=") for pair in str(values).split(","))
    return {name.strip(): _number(value) for name, _, value in pairs}


def _number(value: Any) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = math.nan
    if not (math.isfinite(found) and found >= 0):
        raise ConfigError(f"{value!r} is not a number of at least 0")
    return found


@dataclass(frozen=True)
class ClassifySettings(Settings):
    """How labels are learned from."""

    scores: bool = setting(False, switch(), "labels are numbers to predict, not names of classes")
    word_dropout: float = setting(
        0.1, number(0, 1), "share of the words left out of a text each time it is seen"
    )
    label_smoothing: float = setting(
        0.1, number(0, 1), "share of each label that is spread over all classes"
    )
    folds: int = setting(
        1,
        whole(1, 1000),
        "train this many times, holding out another share of the texts each time, and average",
    )
    class_weights: Any = setting(
        None,
        optional(understood("WEIGHTS", read_weights)),
        "how much each class counts: balanced, or by name, such as yes=2,no=1",
    )
    rates: Any = setting(
        None,
        optional(understood("RATES", read_rates)),
        "how fast parts learn, those of a start if there is one, as multiples of the learning "
        "rate: one number, or by name, such as cbow=0,cmow=0.5; 0.5 for those of a start, "
        "1 without one, unless given",
    )
