"""Order-aware sentence embeddings at bag-of-words speed."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cmow.encoder import Encoder, load
    from cmow.evaluation import evaluate
    from cmow.training import TrainConfig, train

__all__ = ["Encoder", "TrainConfig", "evaluate", "load", "train"]

_ROOMS = {
    "Encoder": "cmow.encoder",
    "TrainConfig": "cmow.training",
    "evaluate": "cmow.evaluation",
    "load": "cmow.encoder",
    "train": "cmow.training",
}


def __getattr__(name: str) -> Any:
    """Import a room when it is first asked for, so that ``cmow --help`` need not."""
    if name not in _ROOMS:
        raise AttributeError(f"module 'cmow' has no attribute {name!r}")
    return getattr(import_module(_ROOMS[name]), name)


def __dir__() -> list[str]:
    return __all__
