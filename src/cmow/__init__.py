"""Order-aware sentence embeddings at bag-of-words speed."""

from typing import TYPE_CHECKING, Any

from cmow.lazy import lazy_names

if TYPE_CHECKING:
    from cmow.classification import Classifier
    from cmow.distillation import distill
    from cmow.encoder import Encoder, load
    from cmow.evaluation import evaluate
    from cmow.search import Index
    from cmow.training import TrainConfig, train

__all__ = [
    "Classifier",
    "Encoder",
    "Index",
    "TrainConfig",
    "distill",
    "evaluate",
    "load",
    "train",
]

_lazy = lazy_names(
    __name__,
    classification=["Classifier"],
    distillation=["distill"],
    encoder=["Encoder", "load"],
    evaluation=["evaluate"],
    search=["Index"],
    training=["TrainConfig", "train"],
)


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("cmow")
    return _lazy(name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
