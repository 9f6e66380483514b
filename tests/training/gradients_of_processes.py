"""A program: the gradients that the processes of a world come to, written by the first.

Adam takes the same steps whatever its gradients are multiplied with, so that its results do not
tell a sum from a mean.
"""

import sys
from contextlib import closing
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
from small_runs import parameters, random_sentences, sampler, tensors_of

from cmow import TrainConfig
from cmow.training.engines.torch import TorchEngine
from cmow.training.objectives import NegativeSampling
from cmow.training.world import open_world


def main(adam: str, sentences: str, file: str) -> None:
    config = TrainConfig(engine="torch", device="cpu", adam=adam, negatives=4)
    made = parameters("sum(6)+product(3)")
    with (
        open_world(config) as world,
        closing(TorchEngine(made, NegativeSampling(config), config, world)) as engine,
    ):
        engine._optimizer.step = lambda: None
        drawn = sampler(random_sentences(range(2, 17)), batch_sentences=int(sentences))
        batch = drawn.batch(0, 1, world.rank, world.size)
        engine.step(batch, update=0, learning_rate=0.1)
        if world.rank == 0:
            loss = engine._loss.module if world.size > 1 else engine._loss
            gradients = [tensor.grad.to_dense() for tensor in tensors_of(loss)]
            np.savez(file, *(gradient.numpy() for gradient in gradients))
    # No thread of theirs may be at work while Python shuts down.
    assert not [name for name in thread_names() if "gloo" in name]


def thread_names() -> list[str]:
    return [(thread / "comm").read_text() for thread in Path("/proc/self/task").glob("*")]


if __name__ == "__main__":
    main(*sys.argv[1:])
