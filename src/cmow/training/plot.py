"""The curves of a run as pictures."""

from pathlib import Path
from typing import Any

from cmow.errors import FormatError, MissingExtraError
from cmow.training.folder import run_place
from cmow.training.history import HISTORY, read_history

SUFFIXES = (".png", ".svg")


def find_history(model: Path) -> Path:
    """The history of a model; that of a run that is going on is longer than the model's."""
    for folder in (run_place(model), model):
        if (folder / HISTORY).is_file():
            return folder / HISTORY
    raise FormatError(f"{model}: has no {HISTORY}; train with this folder as the model's")


def plot_history(history: Path, picture: Path) -> list[Path]:
    """Draw losses and learning rate; returns the files, one PNG and one SVG.

    :param picture: path of the files, but for the suffix
    """
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtraError("matplotlib", "plot") from error
    lines = read_history(history)
    if not lines:
        raise FormatError(f"{history}: has no lines yet; wait for the first report")
    figure = Figure(figsize=(8, 6), layout="constrained")
    losses, rate = figure.subplots(2, 1, sharex=True, height_ratios=[3, 1])
    _draw_losses(losses, lines)
    updates = [line["update"] for line in lines]
    rate.plot(updates, [line["learning_rate"] for line in lines], color="tab:green")
    rate.set(xlabel="updates", ylabel="learning rate", ylim=(0, None))
    rate.grid(alpha=0.3)
    files = [picture.with_name(picture.name + suffix) for suffix in SUFFIXES]
    for file in files:
        figure.savefig(file, dpi=150)
    return files


def _draw_losses(axes: Any, lines: list[dict[str, Any]]) -> None:
    training = [
        (line["update"], line["training_loss"]) for line in lines if line.get("training_loss")
    ]
    validation = [
        (line["update"], line["validation_loss"]) for line in lines if line.get("validation_loss")
    ]
    axes.plot(*zip(*training, strict=True), color="tab:blue", label="training", linewidth=1)
    if validation:
        updates, losses = zip(*validation, strict=True)
        axes.plot(updates, losses, ".-", color="tab:orange", label="validation")
        best = min(range(len(losses)), key=losses.__getitem__)
        text = f"best {losses[best]:.4f} at {updates[best]:,}"
        axes.plot(updates[best], losses[best], "o", color="tab:red", label=text)
    axes.set(ylabel="loss of a window")
    axes.legend()
    axes.grid(alpha=0.3)
