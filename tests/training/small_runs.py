"""Small corpora of ids, samplers and parameters for tests."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from cmow._core import Sampler, Trainer, negative_sampling
from cmow.encoder.initialization import initial_parts
from cmow.training import TrainConfig
from cmow.training.engines import make_engine
from cmow.training.engines.torch import Loss
from cmow.training.objectives import NegativeSampling, Objective
from cmow.training.parameters import Parameters
from cmow.training.world import World

WORDS = 23
WIDE = "mean(sum(4000))+mean(product(2))+windows(3)"  # enough to do for several threads


def ragged(sentences: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Flat ids and offsets."""
    flat = np.array([word for sentence in sentences for word in sentence], np.int32)
    return flat, np.cumsum([0, *map(len, sentences)]).astype(np.int64)


def random_sentences(lengths: Sequence[int], *, seed: int = 0) -> list[list[int]]:
    """Sentences of some lengths with words that are not equally likely."""
    generator = np.random.default_rng(seed)
    shares = 1 / np.arange(1, WORDS + 1)
    return [generator.choice(WORDS, length, p=shares / shares.sum()).tolist() for length in lengths]


class Texts:
    """A corpus of ids."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self.flat, self.offsets = ragged(random_sentences(lengths))

    def __len__(self) -> int:
        return len(self.offsets) - 1


def random_parameters(objective: Objective, shape: str, *, words: int = WORDS) -> Parameters:
    """Of an objective whose own tables are not zero, so that gradients reach every part."""
    parts = initial_parts(shape, words=words, sigma=0.2)
    own = objective.tables([part.shape for part in parts], words)
    generator = np.random.default_rng(1)
    return Parameters.of(
        parts, {name: generator.normal(0, 0.3, table.shape) for name, table in own.items()}
    )


def threads_change_no_bit(
    made_of: Callable[[str, TrainConfig], tuple[Any, Objective, Parameters]], config: TrainConfig
) -> None:
    """Assert that twenty updates on one, two and three threads end in the same parameters.

    :param made_of: a corpus, an objective and parameters for settings and a shape
    """
    config = replace(config, batch_sentences=32)
    results = []
    for threads in (1, 2, 3):
        settings = replace(config, threads=threads)
        texts, objective, made = made_of(WIDE, settings)
        engine = make_engine(made, objective, settings, World())
        batches = objective.batches(texts)
        for update in range(20):
            engine.step(batches.batch(update, threads), update=update, learning_rate=0.01)
        results.append(engine.parameters().arrays())
    for other in results[1:]:
        for name, array in other.items():
            np.testing.assert_array_equal(results[0][name], array, err_msg=name)


def sampler(sentences: Sequence[Sequence[int]], **changes: Any) -> Sampler:
    """A sampler of sentences; the noise is as frequent as the words are."""
    flat, offsets = ragged(sentences)
    settings: dict[str, Any] = {
        "noise": np.bincount(flat, minlength=WORDS).astype(np.float64) ** 0.75,
        "keep": None,
        "seed": 1,
        "batch_sentences": 8,
        "centres": 6,
        "window": 3,
        "negatives": 4,
        "random_target": True,
        "share_negatives": False,
        "validation_sentences": 0,
    }
    return Sampler(flat, offsets, **{**settings, **changes})


def parameters(
    shape: str, *, words: int = WORDS, initialization: str = "identity", seed: int = 0
) -> Parameters:
    """Parameters whose output table is not zero, so that gradients reach every part."""
    parts = initial_parts(shape, words=words, initialization=initialization, seed=seed, sigma=0.1)
    output = (words, sum(part.width for part in parts))
    generator = np.random.default_rng(seed)
    return Parameters.of(parts, {"output": generator.normal(0, 0.1, output)})


def by_part(arrays: Sequence[NDArray[np.float32]]) -> list[NDArray[np.float32]]:
    """The parts' arrays, and each part's columns of the output's, which is the last."""
    *parts, output = arrays
    return [*parts, *np.split(output, np.cumsum([part.shape[1] for part in parts])[:-1], axis=1)]


def native(
    made: Parameters,
    *,
    mean_negatives: bool = False,
    lazy: bool = False,
    product_rate: float = 1.0,
) -> Trainer:
    """The compiled update of some parameters."""
    (output,) = made.objective
    trainer = Trainer(negative_sampling(output.native(), mean_negatives), lazy)
    for shape, part in zip(made.shapes, made.parts, strict=True):
        monoid = shape.monoid
        trainer.add_part(
            monoid.kind,
            monoid.size,
            monoid.constants(),
            shape.mean,
            part.native(),
            monoid.rate(product_rate),
        )
    return trainer


def torch_loss(made: Parameters, *, mean_negatives: bool = False, sparse: bool = False) -> Loss:
    """The same in PyTorch."""
    config = TrainConfig(negatives_loss="mean" if mean_negatives else "sum")
    return Loss(made, NegativeSampling(config), sparse=sparse)


def tensors_of(loss: Loss) -> list[torch.Tensor]:
    """The parts' tables, and each part's columns of the output table."""
    return [layer.weight for layer in (*loss.parts.layers, *loss.own_layers["output"])]
