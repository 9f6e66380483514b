"""A teacher's embeddings become an encoder."""

from typing import TYPE_CHECKING

from cmow.distillation.settings import DistillSettings, shape_for
from cmow.lazy import lazy_names

if TYPE_CHECKING:
    from cmow.distillation.run import distill, joint_objective, run_distillation

__all__ = ["DistillSettings", "distill", "joint_objective", "run_distillation", "shape_for"]

__getattr__ = lazy_names(__name__, run=["distill", "joint_objective", "run_distillation"])
