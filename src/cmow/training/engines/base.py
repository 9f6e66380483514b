"""What computes the updates."""

from abc import ABC, abstractmethod

from cmow._core import Batch
from cmow.training.parameters import Parameters


class Engine(ABC):
    """Holds the parameters while they are trained."""

    @abstractmethod
    def step(self, batch: Batch, *, update: int, learning_rate: float) -> float:
        """One update by the gradient of the mean loss over the examples of all processes' batches.

        Returns the loss before the update, summed over the examples of this process.

        :param update: counted from 0
        """

    @abstractmethod
    def loss(self, batch: Batch) -> float:
        """The loss summed over the examples, without an update."""

    @abstractmethod
    def parameters(self) -> Parameters:
        """The parameters as they are now; valid until the next update."""

    @property
    def settled(self) -> bool:
        """Whether all processes hold the same parameters."""
        return True

    def settle(self) -> None:
        """Let all processes hold the same parameters; all of them must ask for it."""
        return

    def close(self) -> None:
        """Let go of the other processes; no update follows."""
        return
