"""PyTorch: autograd, any device, any number of processes."""

import gc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn, optim
from torch.nn.parallel import DistributedDataParallel

from cmow._core import Batch
from cmow.arrays import Floats
from cmow.encoder import PartShape
from cmow.errors import ConfigError
from cmow.torch import Parts, embedding
from cmow.training.config import TrainConfig
from cmow.training.device import pick_device
from cmow.training.engines.base import Engine
from cmow.training.objectives import Objective
from cmow.training.parameters import Parameters, Trained
from cmow.training.world import World


class Loss(nn.Module):
    """The loss of a batch, summed over its examples.

    :param sparse: make gradients that hold the rows of the batch's words only
    """

    def __init__(self, parameters: Parameters, objective: Objective, *, sparse: bool) -> None:
        super().__init__()
        tables = [trained.table for trained in parameters.parts]
        self.parts = Parts(parameters.shapes, tables, sparse=sparse)
        self.own_layers = {
            trained.name: [
                embedding(trained.table[:, columns], sparse=sparse)
                for columns in _columns(trained, objective, parameters.shapes)
            ]
            for trained in parameters.objective
        }
        self.own = nn.ModuleList(layer for some in self.own_layers.values() for layer in some)
        self._objective = objective

    def forward(self, examples: Any) -> Tensor:
        """The loss as one number."""
        views = self.parts.views(examples.ids, examples.positions)
        return self._objective.torch_loss(views, self.own_layers, examples)


class _Piece(NamedTuple):
    """A tensor, and the columns of a table that it stands for."""

    tensor: Tensor
    trained: Trained
    columns: slice
    rate: float  # in learning rates


class TorchEngine(Engine):
    """Holds the parameters as tensors on its device."""

    def __init__(
        self, parameters: Parameters, objective: Objective, config: TrainConfig, world: World
    ) -> None:
        if config.threads is not None:
            torch.set_num_threads(config.threads)
        self._world = world
        self._device = pick_device(config.device)
        self._parameters = parameters
        self._objective = objective
        self._lazy = config.adam == "lazy"
        if self._lazy and world.size > 1 and self._device.type == "cuda":
            raise ConfigError("nccl cannot add up sparse gradients: set adam to dense")
        self._half = config.precision == "bfloat16"
        loss = Loss(parameters, objective, sparse=self._lazy).to(self._device)
        rates = [
            objective.part_rate(trained.name) * shape.monoid.rate(config.product_rate)
            for shape, trained in zip(parameters.shapes, parameters.parts, strict=True)
        ]
        self._pieces = list(_pieces(loss, parameters, objective, rates))
        make = optim.SparseAdam if self._lazy else optim.Adam
        self._optimizer: optim.Optimizer = make(
            [{"params": [piece.tensor], "times": piece.rate} for piece in self._pieces],
            lr=config.learning_rate,
            eps=objective.epsilon,
        )
        self._give_moments()
        self._loss: Callable[[Any], Tensor] = loss
        if world.size > 1:
            self._loss = DistributedDataParallel(loss)
        if config.compile:
            self._loss = torch.compile(self._loss, dynamic=True)

    def _give_moments(self) -> None:
        for tensor, trained, columns, _ in self._pieces:
            first, second = (
                torch.from_numpy(np.ascontiguousarray(moment[:, columns])).to(self._device)
                for moment in (trained.first_moment, trained.second_moment)
            )
            self._optimizer.state[tensor] = {"exp_avg": first, "exp_avg_sq": second}

    def step(self, batch: Batch, *, update: int, learning_rate: float) -> float:
        examples = self._world.total([len(batch)])[0]
        if examples == 0:
            return 0.0
        loss = self._forward(batch)
        self._optimizer.zero_grad()
        # DistributedDataParallel takes the mean over the processes: times their number it is a sum.
        torch.autograd.backward(loss * (self._world.size / examples))
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
            return self._loss(self._objective.torch_examples(batch, self._device))

    def parameters(self) -> Parameters:
        return replace(
            self._parameters,
            parts=tuple(map(self._as_arrays, self._parameters.parts)),
            objective=tuple(map(self._as_arrays, self._parameters.objective)),
        )

    def close(self) -> None:
        del self._loss  # which holds the group of the processes, in cycles
        gc.collect()

    def _as_arrays(self, trained: Trained) -> Trained:
        pieces = [piece.tensor for piece in self._pieces if piece.trained is trained]
        states = [self._optimizer.state[tensor] for tensor in pieces]
        return Trained(
            trained.name,
            _side_by_side(pieces),
            _side_by_side([state["exp_avg"] for state in states]),
            _side_by_side([state["exp_avg_sq"] for state in states]),
        )


def _pieces(
    loss: Loss, parameters: Parameters, objective: Objective, rates: Sequence[float]
) -> Iterator[_Piece]:
    """All tensors: the parts' tables, then the own tables of the objective."""
    for layer, trained, rate in zip(loss.parts.layers, parameters.parts, rates, strict=True):
        yield _Piece(layer.weight, trained, slice(None), rate)
    for trained in parameters.objective:
        columns = _columns(trained, objective, parameters.shapes)
        own_rates = rates if trained.name in objective.by_part else [1.0]
        layers = loss.own_layers[trained.name]
        for layer, some, rate in zip(layers, columns, own_rates, strict=True):
            yield _Piece(layer.weight, trained, some, rate)


def _columns(trained: Trained, objective: Objective, shapes: Sequence[PartShape]) -> list[slice]:
    """The columns of an own table that step at one rate."""
    if trained.name not in objective.by_part:
        return [slice(None)]
    ends = np.cumsum([shape.monoid.view_width for shape in shapes]).tolist()
    return [slice(start, end) for start, end in zip([0, *ends], ends, strict=False)]


def _side_by_side(tensors: Sequence[Tensor]) -> Floats:
    arrays = [tensor.detach().cpu().numpy() for tensor in tensors]
    return np.concatenate(arrays, axis=1) if len(arrays) > 1 else arrays[0]
