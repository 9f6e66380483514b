"""The picture of the first page: quality against speed, from results/."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib.pyplot as plt
import numpy as np
from drawing import INK, PRODUCT, SUM, save
from matplotlib.axes import Axes

RESULTS = Path(__file__).parents[2] / "results"
PANELS = {
    "STS12-16": "Similarity (STS12 to STS16)",
    "supervised": "Classifiers (11 tasks)",
    "BShift": "Word order (BShift)",
}
SPEEDS = (300, 300_000)
PEER = "#607d8b"
APART = 0.17  # of the height of a panel, between two labels


class Shown(NamedTuple):
    """An encoder, as the results call it."""

    label: str
    quality: str
    speed: str
    color: str


MODEL2VEC = "model2vec from the same teacher, 256"
SHOWN = (
    Shown("transformer, its teacher", "teacher", "the teacher, bfloat16", INK),
    Shown("cmow english", "english (it comes with cmow)", "english, 784 numbers", PRODUCT),
    Shown("bag of words taught alike", "a bag of 384 taught alike", "a bag of 384", SUM),
    Shown("WordLlama", "WordLlama, 256", "WordLlama, 256", PEER),
    Shown("model2vec", MODEL2VEC, MODEL2VEC, PEER),
)


def draw_peers() -> None:
    """A panel for each kind of quality; a dotted line is an encoder whose speed is not known."""
    models, rates = _read("distilled.json", "models"), _read("english.json", "rates")
    _, panels = plt.subplots(3, 1, figsize=(4.7, 5.2), sharex=True, constrained_layout=True)
    for axes, (column, title) in zip(panels, PANELS.items(), strict=True):
        scores = np.array([models[shown.quality][column] for shown in SHOWN])
        axes.set_title(title, fontsize=10.5, loc="left", weight="bold")
        axes.set(xscale="log", xlim=SPEEDS)
        axes.set_ylim(scores.min() - 0.2 * np.ptp(scores), scores.max() + 0.2 * np.ptp(scores))
        axes.tick_params(labelsize=8.5)
        for shown, score, height in zip(SHOWN, scores, _heights(axes, scores), strict=True):
            _mark(axes, shown, float(score), rates.get(shown.speed), float(height))
    note = "" if all(shown.speed in rates for shown in SHOWN) else " (dotted: not measured)"
    panels[-1].set_xlabel(f"sentences per CPU-second{note}", fontsize=9)
    panels[-1].xaxis.set_major_formatter("{x:,.0f}")
    save("peers")


def _heights(axes: Axes, scores: np.ndarray) -> np.ndarray:
    """Where labels stand, as shares of the panel's height: at their scores, but not too close."""
    bottom, top = axes.get_ylim()
    heights = (scores - bottom) / (top - bottom)
    order = np.argsort(heights)
    ranks = APART * np.arange(len(order))
    pushed = np.maximum.accumulate(heights[order] - ranks) + ranks
    heights[order] = pushed - max(pushed[-1] - 1, 0) / 2
    return heights


def _mark(axes: Axes, shown: Shown, score: float, rate: float | None, height: float) -> None:
    if rate is None:
        axes.axhline(score, color=shown.color, linestyle=":", linewidth=1.2)
    else:
        axes.plot(rate, score, "o", color=shown.color, markersize=7.5)
    axes.annotate(
        f"{score:.1f} {shown.label}",
        (SPEEDS[1] if rate is None else rate, score),
        xytext=(1.04, height),
        textcoords="axes fraction",
        color=shown.color,
        fontsize=9,
        va="center",
        weight="bold" if shown.color == PRODUCT else "normal",
        arrowprops={"arrowstyle": "-", "color": shown.color, "linewidth": 0.5, "relpos": (0, 0.5)},
    )


def _read(file: str, key: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((RESULTS / file).read_text("utf-8"))[key]
    return found
