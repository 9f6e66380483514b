"""Negative sampling in PyTorch, with gradients by autograd: the referee of the compiled core."""

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from cmow._core import Batch
from cmow.arrays import Int64s
from cmow.training.parameters import Parameters


@dataclass(frozen=True)
class Windows:
    """A batch as tensors.

    Contexts are positions in ``ids``, filled up to a power of two with the position behind the
    last one, which stands for the neutral element.
    """

    ids: Tensor  # the words that stand in any context
    contexts: Tensor  # (windows, width)
    targets: Tensor  # (windows,)
    negatives: Tensor  # (windows or sentences, k)
    places: Tensor  # (windows, 2) the sentence of a window and the window's number in it
    shared: bool  # whether the windows of a sentence share its negatives
    longest: int  # windows of a sentence, at most

    @classmethod
    def of(cls, batch: Batch, device: torch.device) -> "Windows":
        """Read a batch of the sampler."""
        slots, low, target, high = np.asarray(batch.windows, np.int64).T
        contexts, used = _contexts(low, target, high)
        sentences, places = _places(slots)
        shared = batch.shared_negatives
        negatives = batch.negatives[sentences] if shared else batch.negatives
        return cls(
            ids=_tensor(batch.ids[used], device),
            contexts=_tensor(contexts, device),
            targets=_tensor(batch.ids[target], device),
            negatives=_tensor(negatives, device),
            places=_tensor(places, device),
            shared=shared,
            longest=int(places[:, 1].max(initial=0)) + 1,
        )


def _contexts(low: Int64s, target: Int64s, high: Int64s) -> tuple[Int64s, Int64s]:
    """The context of each window, and which of the batch's positions are in any."""
    lengths = high - low - 1
    width = 1 << (int(lengths.max(initial=1)) - 1).bit_length()
    positions = low[:, None] + np.arange(width)
    positions += positions >= target[:, None]
    inside = np.arange(width) < lengths[:, None]
    used, numbers = np.unique(positions[inside], return_inverse=True)
    contexts = np.full(positions.shape, len(used))
    contexts[inside] = numbers
    return contexts, used


def _places(slots: Int64s) -> tuple[Int64s, Int64s]:
    """The sentences that have windows, and the place of each window among them."""
    sentences, numbers, counts = np.unique(slots, return_inverse=True, return_counts=True)
    firsts = np.cumsum(counts) - counts
    # The sampler gives the windows sentence by sentence.
    return sentences, np.stack([numbers, np.arange(len(slots)) - firsts[numbers]], axis=1)


def _tensor(array: NDArray[np.integer], device: torch.device) -> Tensor:
    return torch.from_numpy(np.array(array, np.int64)).to(device, non_blocking=True)


class Objective(nn.Module):
    """The loss of a batch, summed over its windows.

    :param sparse: make gradients that hold the rows of the batch's words only
    """

    def __init__(
        self, parameters: Parameters, *, mean_negatives: bool, sparse: bool = False
    ) -> None:
        super().__init__()
        self.sizes = [part.matrix_size for part in parameters.parts]
        embeddings = [_embedding(each.table, sparse) for each in parameters.by_part()]
        self.parts = nn.ModuleList(embeddings[: len(self.sizes)])
        self.outputs = nn.ModuleList(embeddings[len(self.sizes) :])
        self.mean_negatives = mean_negatives

    @property
    def tables(self) -> list[Tensor]:
        """The parts' tables, and the output table's columns of each part."""
        return [embedding.weight for embedding in (*self.parts, *self.outputs)]

    def forward(self, windows: Windows) -> Tensor:
        """The loss as one number."""
        positive, negative = [], []  # the scores by part, which add up
        for part, size, output in zip(self.parts, self.sizes, self.outputs, strict=True):
            embeddings = _compose(part(windows.ids), size, windows.contexts)
            positive.append((embeddings * output(windows.targets)).sum(1).float())
            negative.append(_noise_scores(embeddings, output(windows.negatives), windows).float())
        targets = functional.softplus(-torch.stack(positive).sum(0))
        noise = functional.softplus(torch.stack(negative).sum(0))
        if self.mean_negatives:
            noise = noise / noise.shape[1]
        return targets.sum() + noise.sum()


def _noise_scores(embeddings: Tensor, noise: Tensor, windows: Windows) -> Tensor:
    """The scores of each window's noise words (windows, k)."""
    if not windows.shared:
        return torch.einsum("we,wke->wk", embeddings, noise)
    # The windows of a sentence, side by side, meet its noise words in one matrix product.
    place = windows.places.unbind(1)
    sentences = embeddings.new_zeros(len(noise), windows.longest, embeddings.shape[1])
    sentences = sentences.index_put(place, embeddings)
    scores: Tensor = sentences @ noise.transpose(1, 2)
    return scores[place]


def _compose(rows: Tensor, size: int | None, contexts: Tensor) -> Tensor:
    """The embeddings of the contexts; products by a tree: neighbours first, then pairs of them.

    :param size: of matrices; None for vectors
    """
    rows = torch.cat([rows, _neutral(size, rows)])[contexts]
    if size is None:
        return rows.sum(1)
    matrices = rows.reshape(*contexts.shape, size, size)
    while matrices.shape[1] > 1:
        left, right = matrices[:, 0::2], matrices[:, 1::2]
        # A matrix stored by columns reads as its transpose, and (LR)ᵀ = RᵀLᵀ.
        matrices = right @ left
    return matrices.flatten(1)


def _embedding(table: NDArray[np.float32], sparse: bool) -> nn.Embedding:
    rows, width = table.shape
    weight = torch.from_numpy(np.ascontiguousarray(table))
    return nn.Embedding(rows, width, sparse=sparse, _weight=weight)


def _neutral(size: int | None, rows: Tensor) -> Tensor:
    if size is None:
        return rows.new_zeros(1, rows.shape[1])
    return torch.eye(size, dtype=rows.dtype, device=rows.device).reshape(1, -1)
