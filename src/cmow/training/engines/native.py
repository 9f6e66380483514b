"""The compiled core: any number of threads, the same bits."""

from cmow import _core
from cmow.threads import thread_count
from cmow.training.config import TrainConfig
from cmow.training.engines.base import Engine
from cmow.training.objectives import Objective
from cmow.training.parameters import Parameters


class NativeEngine(Engine):
    """Updates the tables in place."""

    def __init__(self, parameters: Parameters, objective: Objective, config: TrainConfig) -> None:
        self._parameters = parameters
        self._threads = thread_count(config.threads)
        native = objective.native(parameters)
        self._trainer = _core.Trainer(native, lazy=config.adam == "lazy", epsilon=objective.epsilon)
        for shape, trained in zip(parameters.shapes, parameters.parts, strict=True):
            monoid = shape.monoid
            self._trainer.add_part(
                monoid.kind,
                monoid.size,
                monoid.constants(),
                shape.mean,
                trained.native(),
                objective.part_rate(trained.name) * monoid.rate(config.product_rate),
            )

    def step(self, batch: _core.Batch, *, update: int, learning_rate: float) -> float:
        return self._trainer.step(batch, update + 1, learning_rate, self._threads)

    def loss(self, batch: _core.Batch) -> float:
        return self._trainer.loss(batch, self._threads)

    def parameters(self) -> Parameters:
        return self._parameters
