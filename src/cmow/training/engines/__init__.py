"""What computes the updates: the compiled core or PyTorch, behind one interface."""

from cmow.training.config import TrainConfig
from cmow.training.engines.averaging import AveragingEngine
from cmow.training.engines.base import Engine
from cmow.training.engines.native import NativeEngine
from cmow.training.objectives import Objective
from cmow.training.parameters import Parameters
from cmow.training.world import World

__all__ = ["Engine", "make_engine"]


def make_engine(
    parameters: Parameters, objective: Objective, config: TrainConfig, world: World
) -> Engine:
    """The engine that a configuration names."""
    if config.engine == "native" and world.size > 1:
        return AveragingEngine(parameters, objective, config, world)
    if config.engine == "native":
        return NativeEngine(parameters, objective, config)
    from cmow.training.engines.torch import TorchEngine

    return TorchEngine(parameters, objective, config, world)


def check_engine(config: TrainConfig) -> None:
    """Say what is missing before any work is done."""
    if config.engine == "torch":
        import cmow.training.device  # noqa: F401
