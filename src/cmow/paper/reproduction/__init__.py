"""The paper's experiments, from declarative files to one page of results."""

from cmow.paper.reproduction.checks import check_experiments, check_folders
from cmow.paper.reproduction.experiment import Experiment
from cmow.paper.reproduction.run import MODELS, reproduce

__all__ = ["MODELS", "Experiment", "check_experiments", "check_folders", "reproduce"]
