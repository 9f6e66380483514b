"""The paper's experiments, from declarative files to one page of results."""

from cmow.reproduction.experiment import Experiment
from cmow.reproduction.run import reproduce

__all__ = ["Experiment", "reproduce"]
