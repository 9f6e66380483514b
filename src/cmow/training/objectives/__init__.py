"""What can be learned, a file each."""

from cmow.training.objectives.joint import JointObjective
from cmow.training.objectives.labels import (
    BIAS,
    HEAD,
    Answers,
    LabelLoss,
    LabelsObjective,
    LabelsStart,
)
from cmow.training.objectives.negative_sampling import NegativeSampling
from cmow.training.objectives.objective import Batches, Objective
from cmow.training.objectives.start_vectors import less_of_frequent_words
from cmow.training.objectives.teacher import Lessons, TeacherObjective

__all__ = [
    "BIAS",
    "HEAD",
    "Answers",
    "Batches",
    "JointObjective",
    "LabelLoss",
    "LabelsObjective",
    "LabelsStart",
    "Lessons",
    "NegativeSampling",
    "Objective",
    "TeacherObjective",
    "less_of_frequent_words",
]
