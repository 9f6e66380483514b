"""The page of `peers.py`: a table, a plot of quality against speed, and rates of learning."""

from collections.abc import Sequence
from statistics import median
from typing import Any, NamedTuple

from measuring import RESULTS, machine, table, write_results
from peers_learning import NEGATIVES, WINDOW, WORDS
from peers_trained import DIMENSION

PANELS = {
    "supervised": "mean of 11 supervised tasks",
    "STS12-16": "STS12–16, Spearman",
    "BShift": "exchanged neighbors told (BShift)",
}
SCORES = (*PANELS, "order by cosine", "order by a probe")
MINE = "cmow"
REACH = 6  # labels are tried so many lines above and below


class Box(NamedTuple):
    """A rectangle."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: "Box") -> bool:
        """Whether the two overlap."""
        beside = self.right <= other.left or other.right <= self.left
        return not (beside or self.top <= other.bottom or other.top <= self.bottom)


def places(
    points: Sequence[tuple[float, float]],
    sizes: Sequence[tuple[float, float]],
    room: Box,
    *,
    gap: float,
) -> list[Box]:
    """Where labels of these sizes go, near their points, so that none covers a point or another.

    A label that finds no place stands where it covers the least.
    """
    taken = [Box(x - gap, y - gap, x + gap, y + gap) for x, y in points]
    found = []
    for point, size in zip(points, sizes, strict=True):
        free = [box for box in candidates(point, size, gap) if within(box, room)]
        best = min(free, key=lambda box: sum(box.meets(other) for other in taken))
        taken.append(best)
        found.append(best)
    return found


def candidates(point: tuple[float, float], size: tuple[float, float], gap: float) -> list[Box]:
    """Places for a label, the nearest first."""
    (x, y), (width, height) = point, size
    lefts = (x + 1.5 * gap, x - width - 1.5 * gap, x - width / 2)
    shifts = sorted((step * height / 2 for step in range(-2 * REACH, 2 * REACH + 1)), key=abs)
    bottoms = [y - height / 2 + shift for shift in shifts]
    return [
        Box(left, bottom, left + width, bottom + height) for bottom in bottoms for left in lefts
    ]


def within(box: Box, room: Box) -> bool:
    """Whether a label is all in the picture."""
    return (
        room.left <= box.left
        and box.right <= room.right
        and room.bottom <= box.bottom
        and box.top <= room.top
    )


def speeds(models: dict[str, Any]) -> dict[str, float]:
    """Sentences a second of the CPU, as if all had been measured in the same hour."""
    usual = median(found["english"] for found in models.values())
    return {name: found["sentences"] / found["english"] * usual for name, found in models.items()}


def draw(models: dict[str, Any]) -> None:
    """Draw results/peers.png."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    rates = speeds(models)
    figure, axes = plt.subplots(
        len(PANELS), 1, figsize=(9.5, 13), sharex=True, layout="constrained"
    )
    for axis, (score, title) in zip(axes, PANELS.items(), strict=True):
        for name, found in models.items():
            mine = name.startswith(MINE)
            axis.plot(
                rates[name], found[score], "D" if mine else "o", color=color_of(name), markersize=7
            )
        axis.set_xscale("log")
        axis.set_ylabel(title)
        axis.grid(alpha=0.25)
        axis.margins(x=0.15, y=0.15)
    axes[-1].set_xlabel("sentences per CPU-second, from strings")
    figure.canvas.draw()
    for axis, score in zip(axes, PANELS, strict=True):
        label(axis, {name: (rates[name], found[score]) for name, found in models.items()})
    figure.savefig(RESULTS / "peers.png", dpi=110, facecolor="white")


def color_of(name: str) -> str:
    """Ours stand out."""
    return "#c8452c" if name.startswith(MINE) else "#30638e"


def label(axis: Any, points: dict[str, tuple[float, float]]) -> None:
    """Write the names where there is room, in pixels."""
    axis.autoscale(False)
    drawn = [axis.text(0, 0, name, fontsize=8.5, color=color_of(name)) for name in points]
    sizes = [
        (box.width + 2, box.height + 2) for box in (text.get_window_extent() for text in drawn)
    ]
    to_pixels, frame = axis.transData, axis.get_window_extent()
    pixels = [tuple(to_pixels.transform(point)) for point in points.values()]
    room = Box(frame.x0 + 3, frame.y0 + 3, frame.x1 - 3, frame.y1 - 3)
    for text, point, box in zip(drawn, pixels, places(pixels, sizes, room, gap=6), strict=True):
        text.set_position(to_pixels.inverted().transform((box.left + 1, box.bottom + 3)))
        near = (min(max(point[0], box.left), box.right), min(max(point[1], box.bottom), box.top))
        ends = to_pixels.inverted().transform([point, near])
        axis.plot(*ends.T, color=color_of(text.get_text()), linewidth=0.6, alpha=0.6)


def models_table(models: dict[str, Any]) -> str:
    """A row for each, the best of the supervised tasks first."""
    rows, rates = [], speeds(models)
    for name, found in sorted(models.items(), key=lambda item: -item[1]["supervised"]):
        taught = found["training"]
        rows.append(
            [
                f"**{name}**" if name.startswith(MINE) else name,
                *(f"{found[score]:.1f}" for score in SCORES),
                f"{rates[name]:,.0f}",
                f"{found['english'] / found['sentences']:,.1f}",
                f"{found['bytes'] / 1e6:,.0f}",
                f"{taught['CPU minutes']:.1f}" if taught else "ready",
                f"{taught['words'] * taught['passes'] / 1e6:,.1f}" if taught else "",
            ]
        )
    speed = ("sentences per CPU-second", "english's speed ÷ its speed")
    learning = ("CPU-minutes of training", "million words learned from")
    return table(["", *SCORES, *speed, "MB", *learning], rows)


def learning_table(rates: dict[str, float]) -> str:
    """A row for each, beside our sums."""
    first = next(iter(rates.values()))
    rows = [[name, f"{rate:,.0f}", f"{first / rate:.1f}"] for name, rate in rates.items()]
    return table(["", "words per CPU-second", "the first's speed ÷ its speed"], rows)


def about_learning(models: dict[str, Any]) -> str:
    """Who has learned from text, and for how long; or that nobody has yet."""
    allowed = {found["training"]["allowed"] for found in models.values() if found["training"]}
    if not allowed:
        return (
            "All of these come ready. Those that learn from text (fastText, gensim, sent2vec and "
            "our own) are **not in the table yet**: the same command adds them, each after an hour "
            "on two quiet cores, or less by `--minutes`."
        )
    minutes = " or ".join(f"{each:g}" for each in sorted(allowed))
    return (
        "Those with minutes of training have learned from the same text, the same 30,000 words, "
        f"{DIMENSION} numbers each, by their authors' settings, and were allowed **{minutes} "
        "CPU-minutes each**. How many words that is was told by a short trial; with less than the "
        "whole text, it is gone through once. The full hour on two threads is `--minutes 60`, "
        "which is 120. fastText's sub-words and sent2vec's bigrams have 200,000 rows, where their "
        "authors have two and four millions for larger vocabularies; doc2vec learns from 24 "
        "million words at most, since it keeps a vector for each sentence."
    )


def write(figures: dict[str, Any]) -> None:
    """The page, its figures and its picture."""
    models = figures["models"]
    draw(models)
    sections = [
        "![Quality against speed](peers.png)",
        models_table(models),
        "Supervised: the mean of the paper's eleven tasks, by a classifier on embeddings of length "
        "1; STS12–16: Spearman's correlation of cosines, all pairs, their mean; BShift: the "
        "probing task on exchanged neighbors, rebuilt; order: the benchmark of word order (a bag "
        "of words has 50 in all three). Test sets, in points; what [distilled](distilled.md) and "
        "[word order](word_order.md) hold is taken from there.",
        about_learning(models),
        "Sentences per CPU-second: from strings, one thread. Each was measured beside the English "
        "model, and is given at that one's median speed, since other work on a machine slows all. "
        "The transformer's scores are of half precision, its speed and size of full precision.",
    ]
    if "learning" in figures:
        sections += [
            "## Learning",
            f"Words for each second of the CPU over all threads, from a file of {WORDS:,} words to "
            f"vectors: {DIMENSION} numbers, windows of {WINDOW} words on either side, {NEGATIVES} "
            "negatives, no thinning out.",
            learning_table(figures["learning"]),
        ]
    write_results("peers", "Beside its peers", {**figures, "machine": machine()}, sections)
