"""The compiled core in several processes, which put together what they learned now and then."""

import numpy as np

from cmow import _core
from cmow.arrays import Doubles, Floats
from cmow.training.config import TrainConfig
from cmow.training.engines.native import NativeEngine
from cmow.training.objectives import Objective
from cmow.training.parameters import Parameters, Trained
from cmow.training.world import World


class AveragingEngine(NativeEngine):
    """Local SGD: processes exchange tables and moments, not gradients, every so many updates."""

    def __init__(
        self, parameters: Parameters, objective: Objective, config: TrainConfig, world: World
    ) -> None:
        super().__init__(parameters, objective, config)
        self._world = world
        self._every = config.average_updates or 1
        self._updates = 0  # since the last meeting
        self._tables = [_Apart(trained) for trained in parameters]

    def step(self, batch: _core.Batch, *, update: int, learning_rate: float) -> float:
        loss = super().step(batch, update=update, learning_rate=learning_rate)
        self._updates += 1
        for table in self._tables:
            table.notice()
        if (update + 1) % self._every == 0:
            self.settle()
        return loss

    @property
    def settled(self) -> bool:
        return self._updates == 0

    def settle(self) -> None:
        if not self.settled:
            for table in self._tables:
                table.join(self._updates, self._world)
            self._updates = 0


class _Apart:
    """A table that processes change apart from one another.

    Of a word that all of them met in every update, the steps are averaged; those of a rare word,
    whose updates one process alone would have made one after the other, are added up. In between,
    what counts is how many updates would have met it, if processes meet words independently.
    """

    def __init__(self, trained: Trained) -> None:
        self._trained = trained
        self._before = trained.table.copy()
        self._moment = trained.first_moment[:, 0].copy()
        self._met = np.zeros(len(trained.table))

    def notice(self) -> None:
        """Count the rows that an update has changed."""
        moment = self._trained.first_moment[:, 0]
        self._met += moment != self._moment
        self._moment[:] = moment

    def join(self, updates: int, world: World) -> None:
        """Let the tables and moments of all processes become one."""
        met = self._met
        with np.errstate(divide="ignore"):  # a row that every update has changed
            missed = np.log1p(-met / updates)
        all_met = met.copy()
        world.add_up([all_met, missed])
        once = np.maximum(all_met, 1)
        self._take_steps((updates * -np.expm1(missed) / once).astype(np.float32), world)
        for moment in (self._trained.first_moment, self._trained.second_moment):
            _take_mean(moment, met, all_met, world)
        self._before[:] = self._trained.table
        self._moment[:] = self._trained.first_moment[:, 0]
        met[:] = 0

    def _take_steps(self, factors: Floats, world: World) -> None:
        table = self._trained.table
        table -= self._before
        world.add_up([table])
        table *= factors[:, None]
        table += self._before


def _take_mean(moment: Floats, met: Doubles, all_met: Doubles, world: World) -> None:
    """The mean over the updates that changed a row; where none did, processes have the same."""
    kept = np.where((all_met == 0)[:, None], moment, np.float32(0))
    moment *= met[:, None].astype(np.float32)
    world.add_up([moment])
    moment /= np.maximum(all_met, 1).astype(np.float32)[:, None]
    moment += kept
