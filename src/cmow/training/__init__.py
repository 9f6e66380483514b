"""Ids on disk to an encoder."""

from typing import TYPE_CHECKING

from cmow.lazy import lazy_names
from cmow.training.config import PREPARE, RECIPES, TrainConfig, read_settings

if TYPE_CHECKING:
    from cmow.training.folder import run_place
    from cmow.training.history import HISTORY, Callback, Progress
    from cmow.training.loop import Ending
    from cmow.training.objectives import (
        BIAS,
        HEAD,
        Answers,
        JointObjective,
        LabelLoss,
        LabelsObjective,
        LabelsStart,
        Lessons,
        Objective,
        TeacherObjective,
        less_of_frequent_words,
    )
    from cmow.training.opening import open_corpus
    from cmow.training.plot import find_history, plot_history
    from cmow.training.resuming import differences
    from cmow.training.run import Outcome, run_training, train
    from cmow.training.state import State
    from cmow.training.store import OUTPUT_FILE, read_output, write_output

__all__ = [
    "BIAS",
    "HEAD",
    "HISTORY",
    "OUTPUT_FILE",
    "PREPARE",
    "RECIPES",
    "Answers",
    "Callback",
    "Ending",
    "JointObjective",
    "LabelLoss",
    "LabelsObjective",
    "LabelsStart",
    "Lessons",
    "Objective",
    "Outcome",
    "Progress",
    "State",
    "TeacherObjective",
    "TrainConfig",
    "differences",
    "find_history",
    "less_of_frequent_words",
    "open_corpus",
    "plot_history",
    "read_output",
    "read_settings",
    "run_place",
    "run_training",
    "train",
    "write_output",
]

# The command line's help needs the settings only.
__getattr__ = lazy_names(
    __name__,
    folder=["run_place"],
    history=["HISTORY", "Callback", "Progress"],
    loop=["Ending"],
    objectives=[
        "BIAS",
        "HEAD",
        "Answers",
        "JointObjective",
        "LabelLoss",
        "LabelsObjective",
        "LabelsStart",
        "Lessons",
        "Objective",
        "TeacherObjective",
        "less_of_frequent_words",
    ],
    opening=["open_corpus"],
    plot=["find_history", "plot_history"],
    resuming=["differences"],
    run=["Outcome", "run_training", "train"],
    state=["State"],
    store=["OUTPUT_FILE", "read_output", "write_output"],
)
