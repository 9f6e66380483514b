"""Boxes, arrows and heat maps in one style."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

INK, SUM, PRODUCT, PALE, NEUTRAL = "#263238", "#c77800", "#00796b", "#eceff1", "#90a4ae"
HEAT = "RdBu_r"

mpl.use("svg")
mpl.rcParams.update(
    {
        "font.size": 11,
        "svg.hashsalt": "cmow",  # the same picture, the same bytes
        "text.color": INK,
        "axes.edgecolor": NEUTRAL,
        "axes.labelcolor": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }
)


@contextmanager
def canvas(name: str, width: float, height: float) -> Iterator[Axes]:
    """An empty sheet whose units are inches; saved at the end."""
    figure = plt.figure(figsize=(width, height))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, width), ylim=(0, height))
    axes.axis("off")
    yield axes
    save(name)


def save(name: str) -> None:
    """Write the current figure as SVG into the current folder."""
    plt.savefig(f"{name}.svg", metadata={"Date": None}, facecolor="white")
    plt.close()


def box(axes: Axes, x: float, y: float, text: str, **style: Any) -> None:
    """A rounded box around a point.

    :param style: width, height, color (of the edge), fill, size (of the text)
    """
    width, height = style.get("width", 1.2), style.get("height", 0.45)
    axes.add_patch(
        FancyBboxPatch(
            (x - width / 2, y - height / 2),
            width,
            height,
            boxstyle="round,pad=0,rounding_size=0.08",
            facecolor=style.get("fill", "white"),
            edgecolor=style.get("color", INK),
            linewidth=1.4,
        )
    )
    axes.text(x, y, text, ha="center", va="center", fontsize=style.get("size", 11))


def arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], **style: Any) -> None:
    """An arrow from one point to another."""
    look = {"arrowstyle": "-|>", "color": style.get("color", INK), "linewidth": 1.3}
    axes.annotate("", xy=end, xytext=start, arrowprops={**look, "shrinkA": 0, "shrinkB": 0})


def line(axes: Axes, start: tuple[float, float], end: tuple[float, float], color: str) -> None:
    """A line behind everything else."""
    axes.plot(*zip(start, end, strict=True), color=color, linewidth=1.3, zorder=0)


def heat(axes: Axes, values: Any, place: tuple[float, float, float, float], scale: Any) -> None:
    """A heat map whose colours are white at zero.

    :param place: left, bottom, width and height
    :param scale: numbers whose largest magnitude has the full colour
    """
    left, bottom, width, height = place
    largest = np.abs(scale).max()
    axes.imshow(
        values,
        cmap=HEAT,
        vmin=-largest,
        vmax=largest,
        extent=(left, left + width, bottom, bottom + height),
        aspect="auto",
        interpolation="nearest",
    )
    axes.add_patch(Rectangle((left, bottom), width, height, fill=False, edgecolor=NEUTRAL))


def sign(axes: Axes, x: float, y: float, text: str, color: str) -> None:
    """A large sign in the middle of a point."""
    axes.text(x, y, text, ha="center", va="center", fontsize=16, color=color)
