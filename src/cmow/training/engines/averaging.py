"""The compiled core in several processes, which take the mean of their tables now and then."""

from cmow import _core
from cmow.training.config import TrainConfig
from cmow.training.engines.native import NativeEngine
from cmow.training.objectives import Objective
from cmow.training.parameters import Parameters
from cmow.training.world import World


class AveragingEngine(NativeEngine):
    """Local SGD: processes exchange tables and moments, not gradients, every so many updates."""

    def __init__(
        self, parameters: Parameters, objective: Objective, config: TrainConfig, world: World
    ) -> None:
        super().__init__(parameters, objective, config)
        self._world = world
        self._every = config.average_updates or 1
        self._settled = True

    def step(self, batch: _core.Batch, *, update: int, learning_rate: float) -> float:
        self._settled = False
        loss = super().step(batch, update=update, learning_rate=learning_rate)
        if (update + 1) % self._every == 0:
            self.settle()
        return loss

    @property
    def settled(self) -> bool:
        return self._settled

    def settle(self) -> None:
        if not self._settled:
            self._world.average(list(self._parameters.arrays().values()))
            self._settled = True
