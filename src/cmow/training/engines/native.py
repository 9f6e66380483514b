"""The compiled core: any number of threads, the same bits."""

from cmow._core import Batch, Trainer
from cmow.threads import thread_count
from cmow.training.config import TrainConfig
from cmow.training.engines.base import Engine
from cmow.training.parameters import Parameters


class NativeEngine(Engine):
    """Updates the tables in place."""

    def __init__(self, parameters: Parameters, config: TrainConfig) -> None:
        self._parameters = parameters
        self._threads = thread_count(config.threads)
        output = parameters.output
        self._trainer = Trainer(
            [
                (part.shape.composition, part.table, part.first, part.second, part.shape.size)
                for part in parameters.parts
                if part.shape is not None
            ],
            (output.table, output.first, output.second),
            mean_negatives=config.negatives_loss == "mean",
            lazy=config.adam == "lazy",
            product_rate=config.product_rate,
        )

    def step(self, batch: Batch, *, update: int, learning_rate: float) -> float:
        return self._trainer.step(batch, update + 1, learning_rate, self._threads)

    def loss(self, batch: Batch) -> float:
        return self._trainer.loss(batch, self._threads)

    def parameters(self) -> Parameters:
        return self._parameters
