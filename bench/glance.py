"""The English model beside its teacher and other static models: a table, a sentence, a picture.

From results/peers.json. Speeds are multiples of the teacher's: each was measured beside the English
model, by turns, and such multiples hardly depend on the machine.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from measuring import RESULTS, table

SCORES = {
    "STS12-16": "similarity (STS12 to STS16)",
    "supervised": "classifiers (11 tasks)",
    "BShift": "word order (BShift)",
}
PICTURE = RESULTS / "glance.svg"
INK, OURS, BAG, PEER = "#263238", "#00796b", "#c77800", "#607d8b"
APART = 0.17  # of the height of a panel, between two labels


class Known(NamedTuple):
    """An encoder: points by score, and how many times as fast as the teacher."""

    label: str
    color: str
    scores: dict[str, float]
    speed: float


SHOWN = {  # what results/peers.json calls an encoder: what is said of it here
    "all-MiniLM-L6-v2": ("transformer, its teacher", INK),
    "cmow english": ("cmow english", OURS),
    "cmow english, its bag": ("its bag of words alone", BAG),
    "WordLlama, 256": ("WordLlama", PEER),
    "model2vec from it, 256": ("model2vec, same teacher", PEER),
}

LEARNED = {  # the same of those that have no teacher, and learn from text within minutes
    "cmow sum(400)+windows(20), from text alone": ("cmow, from text alone", OURS),
    "fastText CBOW": ("fastText, from the same text", PEER),
    "gensim word2vec + SIF": ("gensim's word2vec with SIF, from the same text", PEER),
}


def measured() -> dict[str, Any]:
    """What results/peers.json holds of each encoder."""
    models: dict[str, Any] = json.loads((RESULTS / "peers.json").read_text("utf-8"))["models"]
    return models


def known(names: dict[str, tuple[str, str]] = SHOWN) -> list[Known]:
    """All that are shown, and what is known of them."""
    models = measured()
    rates = {name: found["sentences"] / found["english"] for name, found in models.items()}
    teacher = rates[next(iter(SHOWN))]
    return [Known(*names[name], models[name], rates[name] / teacher) for name in names]


def glance_table() -> str:
    """A row for each encoder, and who has learned for how long."""
    rows: list[list[object]] = [
        [
            f"**{each.label}**" if each.color == OURS else each.label,
            *(f"{each.scores[score]:.1f}" for score in SCORES),
            f"{each.speed:,.0f}",
        ]
        for each in (*known(), *known(LEARNED))
    ]
    models = measured()
    minutes = max(models[name]["training"]["allowed"] for name in LEARNED)
    return (
        table(["", *SCORES.values(), "times the transformer's speed"], rows)
        + f"\n\nThe last {len(LEARNED)} have no teacher: each has learned from the same text, for "
        f"{minutes:g} minutes of one core at most.\n"
    )


def glance_sentence() -> str:
    """How fast the English model is."""
    speeds = {each.label: each.speed for each in known()}
    ours, peer = speeds["cmow english"], speeds["model2vec, same teacher"]
    return (
        f"On one core, the English model is {ours:.0f} times as fast as the transformer that "
        f"taught it, and {ours / peer:.1f} times as fast as model2vec "
        "([how this was measured](results.md)).\n"
    )


def labels() -> Iterator[str]:
    """What the picture says of each encoder, panel by panel."""
    for score in SCORES:
        for each in known():
            yield f"{each.scores[score]:.1f} {each.label}"


def draw() -> None:
    """A panel for each score."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams.update({"svg.hashsalt": "cmow", "axes.spines.top": False})
    mpl.rcParams.update({"axes.spines.right": False, "text.color": INK, "axes.edgecolor": PEER})
    import matplotlib.pyplot as plt

    encoders, texts = known(), labels()
    speeds = [each.speed for each in encoders]
    ends = min(speeds) / 2, max(speeds) * 4
    figure, panels = plt.subplots(3, 1, figsize=(4.7, 5.2), sharex=True, layout="constrained")
    for axes, (score, title) in zip(panels, SCORES.items(), strict=True):
        points = np.array([each.scores[score] for each in encoders])
        around = 0.2 * np.ptp(points)
        axes.set_title(title[0].upper() + title[1:], fontsize=10.5, loc="left", weight="bold")
        axes.set(xscale="log", xlim=ends, ylim=(points.min() - around, points.max() + around))
        axes.tick_params(labelsize=8.5)
        for each, point, height in zip(encoders, points, _heights(axes, points), strict=True):
            axes.plot(each.speed, point, "o", color=each.color, markersize=7.5)
            _label(axes, next(texts), (each.speed, point), height, each.color)
    panels[-1].set_xlabel("times its teacher's speed", fontsize=9, loc="left")
    panels[-1].xaxis.set_major_formatter("{x:,.0f}")
    figure.savefig(PICTURE, metadata={"Date": None}, facecolor="white")


def _heights(axes: Any, points: np.ndarray) -> np.ndarray:
    """Where labels stand, as shares of the panel's height: at their points, but not too close."""
    bottom, top = axes.get_ylim()
    heights = (points - bottom) / (top - bottom)
    order = np.argsort(heights)
    ranks = APART * np.arange(len(order))
    pushed = np.maximum.accumulate(heights[order] - ranks) + ranks
    heights[order] = pushed - max(pushed[-1] - 1, 0) / 2
    return heights


def _label(axes: Any, text: str, place: tuple[float, float], height: float, color: str) -> None:
    axes.annotate(
        text,
        place,
        xytext=(1.04, height),
        textcoords="axes fraction",
        color=color,
        fontsize=9,
        va="center",
        weight="bold" if color == OURS else "normal",
        arrowprops={"arrowstyle": "-", "color": color, "linewidth": 0.5, "relpos": (0, 0.5)},
    )
