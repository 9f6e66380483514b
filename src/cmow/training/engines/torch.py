"""PyTorch: autograd, any device, any number of processes."""

from collections.abc import Callable, Iterator

import numpy as np
import torch
from torch import Tensor, optim
from torch.nn.parallel import DistributedDataParallel

from cmow._core import Batch
from cmow.errors import ConfigError
from cmow.training.config import TrainConfig
from cmow.training.device import pick_device
from cmow.training.engines.base import Engine
from cmow.training.objective import Objective, Windows
from cmow.training.parameters import Parameters, Trained
from cmow.training.world import World


class TorchEngine(Engine):
    """Holds the parameters as tensors on its device."""

    def __init__(self, parameters: Parameters, config: TrainConfig, world: World) -> None:
        if config.threads is not None:
            torch.set_num_threads(config.threads)
        self._world = world
        self._device = pick_device(config.device)
        self._trained = tuple(parameters.by_part())
        self._lazy = config.adam == "lazy"
        if self._lazy and world.size > 1 and self._device.type == "cuda":
            raise ConfigError("nccl cannot add up sparse gradients: set adam to dense")
        self._half = config.precision == "bfloat16"
        mean = config.negatives_loss == "mean"
        objective = Objective(parameters, mean_negatives=mean, sparse=self._lazy).to(self._device)
        self._tensors = objective.tables
        make = optim.SparseAdam if self._lazy else optim.Adam
        self._optimizer: optim.Optimizer = make(
            [
                {"params": [tensor], "times": config.product_rate if trained.matrix_size else 1.0}
                for tensor, trained in zip(self._tensors, self._trained, strict=True)
            ],
            lr=config.learning_rate,
        )
        self._give_moments()
        self._objective: Callable[[Windows], Tensor] = objective
        if world.size > 1:
            self._objective = DistributedDataParallel(objective)
        if config.compile:
            self._objective = torch.compile(self._objective, dynamic=True)

    def _give_moments(self) -> None:
        for tensor, trained in zip(self._tensors, self._trained, strict=True):
            first, second = (
                torch.from_numpy(np.ascontiguousarray(moment)).to(self._device)
                for moment in (trained.first, trained.second)
            )
            self._optimizer.state[tensor] = {"exp_avg": first, "exp_avg_sq": second}

    def step(self, batch: Batch, *, update: int, learning_rate: float) -> float:
        windows = self._world.total([len(batch)])[0]
        if windows == 0:
            return 0.0
        loss = self._forward(batch)
        self._optimizer.zero_grad()
        # DistributedDataParallel takes the mean over the processes: times their number it is a sum.
        torch.autograd.backward(loss * (self._world.size / windows))
        for state in self._optimizer.state.values():
            state["step"] = update if self._lazy else torch.tensor(float(update))
        for group in self._optimizer.param_groups:
            group["lr"] = group["times"] * learning_rate
        self._optimizer.step()
        return loss.item()

    def loss(self, batch: Batch) -> float:
        with torch.no_grad():
            return self._forward(batch).item()

    def _forward(self, batch: Batch) -> Tensor:
        with torch.autocast(self._device.type, torch.bfloat16, enabled=self._half):
            loss: Tensor = self._objective(Windows.of(batch, self._device))
        return loss

    def parameters(self) -> Parameters:
        return Parameters.from_parts(list(self._as_arrays()))

    def _as_arrays(self) -> Iterator[Trained]:
        for tensor, trained in zip(self._tensors, self._trained, strict=True):
            state = self._optimizer.state[tensor]
            tensors = (tensor, state["exp_avg"], state["exp_avg_sq"])
            yield Trained(
                trained.name, trained.shape, *(each.detach().cpu().numpy() for each in tensors)
            )
