"""The settings that do best on the development split, found by trying some within a time."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from cmow.classification.classifier import Classifier
from cmow.classification.data import Examples
from cmow.errors import ConfigError, DivergenceError

SHAPES = (
    "mean(sum(100))",
    "mean(sum(100))+mean(windows(16))",
    "mean(sum(100))+mean(product(16))",
    "mean(sum(200))+mean(product(16))",
)
EPOCHS = (3.0, 5.0, 10.0, 20.0)
WORD_DROPOUTS = (0.0, 0.1, 0.2, 0.3)
LOWEST_RATE, HIGHEST_RATE = 1e-3, 1e-2
RATES_OF_START = (0.1, 0.3, 1.0)


@dataclass(frozen=True)
class Trial:
    """Settings that were tried."""

    settings: Mapping[str, Any]
    score: float  # on the development split
    loss: float  # the lower is better among equal scores
    seconds: float


def tune(
    classifier: Classifier,
    examples: Examples,
    development: Examples | None = None,
    *,
    seconds: float,
    tell: Callable[[Trial], None] = lambda _: None,
) -> Trial:
    """Try random settings for some time, and give the classifier the best of them.

    The first are those that it has. What was given explicitly stays as it is.
    """
    given = dict(classifier.settings)
    generator = np.random.default_rng(given.get("seed", 0))
    if given.get("max_minutes") is not None:
        raise ConfigError("either tune chooses how long to train, or max_minutes says so")
    best: Trial | None = None
    settings, end = given, time.monotonic() + seconds
    while best is None or time.monotonic() < end:
        started = time.monotonic()
        trial = Classifier(start=classifier.start, **settings)
        if best is not None:
            trial.set_params(max_minutes=(end - started) / 60)
        drawn, settings = settings, {**_drawn(classifier, generator), **given}
        try:
            outcome = trial.run(examples, development)
        except DivergenceError:
            if best is None and time.monotonic() > end:
                raise
            continue
        if outcome.ending.signal is not None:
            raise KeyboardInterrupt
        if best is not None and time.monotonic() >= end:
            break  # what did not end in time is no trial
        report = trial.development_
        if report is None:
            raise ConfigError("nothing is held out to choose by: raise validation_share")
        found = Trial(drawn, report.score, report.loss, time.monotonic() - started)
        tell(found)
        if best is None or (found.score, -found.loss) > (best.score, -best.loss):
            best = found
    classifier.set_params(**best.settings)
    return best


def _drawn(classifier: Classifier, generator: np.random.Generator) -> dict[str, Any]:
    low, high = np.log([LOWEST_RATE, HIGHEST_RATE])
    drawn: dict[str, Any] = {
        "learning_rate": float(np.exp(generator.uniform(low, high))),
        "epochs": float(generator.choice(EPOCHS)),
        "word_dropout": float(generator.choice(WORD_DROPOUTS)),
    }
    if classifier.start is None:
        drawn["shape"] = str(generator.choice(SHAPES))
    else:
        drawn["rates"] = float(generator.choice(RATES_OF_START))
    return drawn
