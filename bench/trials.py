"""Trials of settings that take long: what the results hold already is not done again."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from measuring import RESULTS

Settings = dict[str, Any]


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
