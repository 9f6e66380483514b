"""Order-aware sentence embeddings at bag-of-words speed."""

from typing import TYPE_CHECKING

from cmow.lazy import on_demand

if TYPE_CHECKING:
    from cmow.encoder import Encoder, load
    from cmow.evaluation import evaluate
    from cmow.training import TrainConfig, train

__all__ = ["Encoder", "TrainConfig", "evaluate", "load", "train"]

__getattr__ = on_demand(
    __name__,
    {
        "Encoder": "cmow.encoder",
        "TrainConfig": "cmow.training",
        "evaluate": "cmow.evaluation",
        "load": "cmow.encoder",
        "train": "cmow.training",
    },
)


def __dir__() -> list[str]:
    return __all__
