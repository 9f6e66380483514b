"""What can be learnt, a file each."""

from cmow.training.objectives.negative_sampling import NegativeSampling
from cmow.training.objectives.objective import Batches, Objective

__all__ = ["Batches", "NegativeSampling", "Objective"]
