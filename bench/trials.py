"""Trials of settings that take long: what the results hold already is not done again."""

import argparse
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from measuring import RESULTS

Settings = dict[str, Any]


def training_options(about: str) -> argparse.Namespace:
    """The command line of a benchmark that trains models and scores them.

    :param about: the benchmark's docstring
    """
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("corpus", type=Path, help="a prepared corpus")
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--models", type=Path, required=True, help="where they are trained")
    return parser.parse_args()


def known_trials(name: str) -> dict[str, Any]:
    """What results/NAME.json holds, by trial: its settings and scores."""
    kept = RESULTS / f"{name}.json"
    return json.loads(kept.read_text("utf-8"))["trials"] if kept.is_file() else {}


def done_trials(
    trials: Mapping[str, Settings],
    known: Mapping[str, Any],
    scores_of: Callable[[int, Settings], dict[str, float]],
) -> dict[str, Any]:
    """All trials with their scores.

    :param scores_of: carries out a trial, given its number and settings
    """
    done: dict[str, Any] = {}
    for number, (name, settings) in enumerate(trials.items(), start=1):
        if known.get(name, {}).get("settings") == settings:
            done[name] = known[name]
            continue
        done[name] = {"settings": settings, "scores": scores_of(number, settings)}
        print(name, done[name]["scores"], flush=True)
    return done
