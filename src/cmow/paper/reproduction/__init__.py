"""The paper's experiments, from declarative files to one page of results."""

from cmow.paper.reproduction.experiment import Experiment
from cmow.paper.reproduction.run import reproduce

__all__ = ["Experiment", "reproduce"]
