"""Ids on disk to an encoder."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cmow.training.config import RECIPES, TrainConfig

if TYPE_CHECKING:
    from cmow.training.history import Progress
    from cmow.training.run import train

__all__ = ["RECIPES", "Progress", "TrainConfig", "train"]

_FILES = {"Progress": "cmow.training.history", "train": "cmow.training.run"}


def __getattr__(name: str) -> Any:
    """Import what is heavy when it is first asked for: the command line needs the settings only."""
    if name not in _FILES:
        raise AttributeError(f"module 'cmow.training' has no attribute {name!r}")
    return getattr(import_module(_FILES[name]), name)
