"""The processes that train one model together; as a rule there is only this one."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from numpy.typing import NDArray

from cmow.errors import ConfigError
from cmow.training.config import TrainConfig

LONGEST_WAIT = timedelta(days=7)  # for the process that prepares the corpus


class World:
    """A world of one process."""

    rank = 0
    size = 1

    def total(self, numbers: Sequence[float]) -> list[float]:
        """The sums of these numbers over all processes."""
        return list(numbers)

    def add_up(self, arrays: Sequence[NDArray[Any]]) -> None:
        """Let the arrays of all processes become their sum."""

    def wait(self) -> None:
        """Wait until all processes have come here."""

    @contextmanager
    def first_alone(self) -> Iterator[None]:
        """The first process goes through the block before the others may enter it."""
        if self.rank > 0:
            self.wait()
        yield
        if self.rank == 0:
            self.wait()


class TorchWorld(World):
    """The processes that torchrun has started."""

    def __init__(self, device_name: str) -> None:
        import torch

        # Before there is a group: functions in there would take it as a default and keep it, and
        # its threads with it. One that lets go of a gradient while Python ends aborts the process.
        import torch.distributed.nn

        from cmow.training.device import pick_device

        self._device = pick_device(device_name)
        if self._device.type == "cuda":
            torch.cuda.set_device(self._device)
        backend = "nccl" if self._device.type == "cuda" else "gloo"
        torch.distributed.init_process_group(backend, timeout=LONGEST_WAIT)
        self.rank = torch.distributed.get_rank()
        self.size = torch.distributed.get_world_size()

    def total(self, numbers: Sequence[float]) -> list[float]:
        import torch

        sums = torch.tensor(numbers, dtype=torch.float64, device=self._device)
        torch.distributed.all_reduce(sums)
        return [float(number) for number in sums.tolist()]

    def add_up(self, arrays: Sequence[NDArray[Any]]) -> None:
        import torch

        for array in arrays:
            torch.distributed.all_reduce(torch.from_numpy(array))

    def wait(self) -> None:
        import torch

        torch.distributed.barrier()

    def close(self) -> None:
        """Part from the others."""
        import torch

        torch.distributed.destroy_process_group()


@contextmanager
def open_world(config: TrainConfig) -> Iterator[World]:
    """All processes that torchrun has started, or this one alone."""
    size = int(os.environ.get("WORLD_SIZE", "1"))
    if size == 1:
        yield World()
        return
    native = config.engine == "native"
    if native and config.average_updates is None:
        raise ConfigError(
            f"{size} processes cannot train with engine native: set engine to torch, or say after "
            "how many updates they join their tables, as in average_updates = 200"
        )
    world = TorchWorld("cpu" if native else config.device)
    try:
        yield world
    finally:
        world.close()
