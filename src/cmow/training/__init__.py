"""Ids on disk to an encoder."""

from typing import TYPE_CHECKING

from cmow.lazy import on_demand
from cmow.training.config import RECIPES, TrainConfig, read_settings

if TYPE_CHECKING:
    from cmow.training.history import Progress
    from cmow.training.run import train

__all__ = ["RECIPES", "Progress", "TrainConfig", "read_settings", "train"]

__getattr__ = on_demand(
    __name__, {"Progress": "cmow.training.history", "train": "cmow.training.run"}
)
