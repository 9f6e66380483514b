"""The paper's objective: tell a window's target word from noise words by the words around it.

A logistic regression on the embedding of the context does; its weights are the output table.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from cmow import _core
from cmow.arrays import Doubles, Floats, Int64s
from cmow.corpus import Corpus
from cmow.encoder import PartShape
from cmow.errors import ConfigError
from cmow.training.config import TrainConfig
from cmow.training.objectives.objective import Layers, Objective
from cmow.training.parameters import Parameters

if TYPE_CHECKING:
    import torch
    from torch import Tensor

OUTPUT = "output"
NUMBER = 4  # bytes
FEW_SENTENCES = 1024  # to validate on, if they are no more than a tenth of the corpus


class NegativeSampling(Objective):
    """As the settings of a training run describe it."""

    name, unit = "negative sampling", "windows"
    by_part = (OUTPUT,)

    def __init__(self, config: TrainConfig) -> None:
        self._config = config

    def batches(self, corpus: Corpus) -> _core.Sampler:
        config, counts = self._config, corpus.vocabulary.counts
        return _core.Sampler(
            corpus.flat,
            corpus.offsets,
            noise_weights(counts, config.noise_exponent),
            keep_chances(counts, config.subsample) if config.subsample else None,
            seed=config.seed,
            batch_sentences=config.batch_sentences,
            centres=config.centers,
            window=config.window,
            negatives=config.negatives,
            random_target=config.target == "random",
            share_negatives=config.share_negatives == "sentence",
            validation_sentences=validation_sentences(len(corpus), config.validation_share),
        )

    def tables(self, shapes: Sequence[PartShape], words: int) -> Mapping[str, Floats]:
        width = sum(shape.monoid.view_width for shape in shapes)
        return {OUTPUT: np.zeros((words, width), np.float32)}  # as in word2vec

    def batch_memory(self, sentences: int, windows: int, width: int) -> int:
        shared = self._config.share_negatives == "sentence"
        noise = self._config.negatives * (sentences if shared else windows)
        scores, gradients = self._config.negatives * windows, noise * width if shared else 0
        return NUMBER * (noise + scores + gradients)

    def native(self, parameters: Parameters) -> _core.Objective:
        (output,) = parameters.objective
        return _core.negative_sampling(output.native(), mean_negatives=self._mean)

    def torch_examples(self, batch: Any, device: "torch.device") -> "Windows":
        return Windows.of(batch, device)

    def torch_loss(self, views: Sequence["Tensor"], layers: Layers, examples: Any) -> "Tensor":
        import torch
        from torch.nn.functional import softplus

        positive, negative = [], []  # the scores by part, which add up
        for embeddings, output in zip(views, layers[OUTPUT], strict=True):
            positive.append((embeddings * output(examples.targets)).sum(1).float())
            negative.append(_noise_scores(embeddings, output(examples.negatives), examples).float())
        targets = softplus(-torch.stack(positive).sum(0))
        noise = softplus(torch.stack(negative).sum(0))
        if self._mean:
            noise = noise / noise.shape[1]
        return targets.sum() + noise.sum()

    def guessing_loss(self) -> float:
        return (1 + (1 if self._mean else self._config.negatives)) * math.log(2)

    @property
    def _mean(self) -> bool:
        return self._config.negatives_loss == "mean"


def noise_weights(counts: Int64s, exponent: float) -> Doubles:
    """How likely each word is drawn as noise; one that the corpus lacks never is."""
    return np.where(counts > 0, counts.astype(np.float64) ** exponent, 0.0)


def keep_chances(counts: Int64s, threshold: float) -> Floats:
    """How likely an occurrence of each word is kept, by word2vec's rule.

    :param threshold: share of the corpus from which on words are thinned out
    """
    excess: Doubles = threshold * counts.sum() / np.maximum(counts, 1)
    return np.minimum(np.sqrt(excess) + excess, 1, dtype=np.float64).astype(np.float32)


def validation_sentences(sentences: int, share: float) -> int:
    """How many sentences to hold out: the share, but in a small corpus more, up to a tenth."""
    if share == 0:
        return 0
    if sentences < 2:
        raise ConfigError(
            "one sentence is not enough to validate: give more text, or set stop_by to training "
            "and validation_share to 0"
        )
    few = max(min(FEW_SENTENCES, sentences // 10), 1)
    return max(round(share * sentences), few)


# ---- in PyTorch ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Windows:
    """A batch as tensors.

    Positions are those in ``ids``, filled up to a power of two with the position behind the last
    one, which stands for the neutral element.
    """

    ids: "Tensor"  # the words that stand in any context
    positions: "Tensor"  # (windows, width) of the contexts
    targets: "Tensor"  # (windows,)
    negatives: "Tensor"  # (windows or sentences, k)
    places: "Tensor"  # (windows, 2) the sentence of a window and the window's number in it
    shared: bool  # whether the windows of a sentence share its negatives
    longest: int  # windows of a sentence, at most

    @classmethod
    def of(cls, batch: _core.NoiseBatch, device: "torch.device") -> "Windows":
        """Read a batch of the sampler."""
        import torch

        def tensor(array: Any) -> "Tensor":
            return torch.from_numpy(np.array(array, np.int64)).to(device, non_blocking=True)

        slots, low, target, high = np.asarray(batch.windows, np.int64).T
        positions, used = _contexts(low, target, high)
        sentences, places = _places(slots)
        shared = batch.shared_negatives
        return cls(
            ids=tensor(batch.ids[used]),
            positions=tensor(positions),
            targets=tensor(batch.ids[target]),
            negatives=tensor(batch.negatives[sentences] if shared else batch.negatives),
            places=tensor(places),
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


def _noise_scores(embeddings: "Tensor", noise: "Tensor", windows: Windows) -> "Tensor":
    """The scores of each window's noise words (windows, k)."""
    import torch

    if not windows.shared:
        return torch.einsum("we,wke->wk", embeddings, noise)
    # The windows of a sentence, side by side, meet its noise words in one matrix product.
    place = windows.places.unbind(1)
    sentences = embeddings.new_zeros(len(noise), windows.longest, embeddings.shape[1])
    sentences = sentences.index_put(place, embeddings)
    scores: Tensor = sentences @ noise.transpose(1, 2)
    return scores[place]
