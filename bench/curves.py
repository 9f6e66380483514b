"""How the paper's models come along by its settings to the letter: scores against updates.

    python bench/curves.py PREPARED --data SENTEVAL --data PROBING --models FOLDER

Trains the models of examples/letter.toml to each of LENGTHS, all to one length before any goes on
to the next, and keeps their validation losses and development scores: no test score is looked at.
Whatever interrupts the command, it goes on where it was; `cmow reproduce examples/letter.toml
--models FOLDER` finds the models and scores them on all tasks. Writes results/curves.json,
results/curves.md and results/curves.png.
"""

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from measuring import RESULTS, machine, table, write_results
from model_scores import development_scores
from trials import training_options

from cmow import train
from cmow.corpus import Corpus
from cmow.paper.reproduction import Experiment
from cmow.training import TrainConfig

EXPERIMENT = Path(__file__).parent.parent / "examples" / "letter.toml"
LENGTHS = (1_000, 3_000, 10_000, 20_000, 30_000)
TASKS = ("BShift", "WC", "STS-B")
LOSS = "validation loss"

Curves = dict[str, dict[str, dict[str, float]]]  # by model, by updates


def extended(
    curves: Curves, configs: dict[str, TrainConfig], options: argparse.Namespace
) -> Curves:
    """What is known and what is not yet, written down after every model."""
    for updates in LENGTHS:
        for name, config in configs.items():
            points = curves.setdefault(name, {})
            if str(updates) in points:
                continue
            trained = train(
                options.corpus,
                replace(config, max_updates=updates, keep_run=True),
                folder=options.models / f"{name}-0",
                resume=True,
            )
            scores = development_scores(trained, options.data, TASKS)
            points[str(updates)] = {LOSS: trained.training["validation_loss"], **scores}
            print(name, updates, points[str(updates)], flush=True)
            write(curves, options.corpus)
    return curves


def write(curves: Curves, corpus: Path) -> None:
    """Write the page and the picture."""
    draw(curves)
    tokens = Corpus.open(corpus).tokens
    sections = [
        f"The paper's settings to the letter, on {tokens:,} tokens, one seed. BShift, WC: accuracy "
        "on development sentences; STS-B: Pearson's correlation on its development pairs, "
        "supervised. Both probing sets are rebuilt. Of every run the best model so far, by its "
        "validation loss, is scored.",
        curves_table(curves),
        "![Scores against updates](curves.png)",
    ]
    figures: dict[str, Any] = {"machine": machine(), "curves": curves}
    write_results("curves", "To the letter, update by update", figures, sections)


def curves_table(curves: Curves) -> str:
    """A row for each model and length."""
    rows = [
        [name, f"{int(updates):,}", f"{point[LOSS]:.3f}", *(f"{point[t]:.1f}" for t in TASKS)]
        for name, points in curves.items()
        for updates, point in points.items()
    ]
    return table(["model", "updates", LOSS, *TASKS], rows)


def draw(curves: Curves) -> None:
    """A panel for each score, a line for each model."""
    from matplotlib.figure import Figure

    panels = (*TASKS, LOSS)
    figure = Figure(figsize=(3.2 * len(panels), 3.2), layout="constrained")
    axes = figure.subplots(1, len(panels))
    for axis, panel in zip(axes, panels, strict=True):
        for (name, points), color in zip(curves.items(), COLORS, strict=False):
            heights = [point[panel] for point in points.values()]
            axis.plot([int(each) for each in points], heights, "o-", color=color, label=name)
        axis.set_title(panel, fontsize=10)
        axis.set_xscale("log")
        axis.set_xticks(LENGTHS, [f"{each // 1000}k" for each in LENGTHS], fontsize=8)
        axis.minorticks_off()
        axis.set_xlabel("updates")
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize=8)
    figure.savefig(RESULTS / "curves.png", dpi=120)


COLORS = ("#30638e", "#d1495b", "#3b8132")


def main() -> None:
    """Train and score what is new, and write everything."""
    options = training_options(__doc__)
    experiment = Experiment.read(EXPERIMENT)
    configs = {name: experiment.config(name, 0, {}) for name in experiment.settings}
    kept = RESULTS / "curves.json"
    curves: Curves = json.loads(kept.read_text("utf-8"))["curves"] if kept.is_file() else {}
    write(extended(curves, configs, options), options.corpus)


if __name__ == "__main__":
    main()
