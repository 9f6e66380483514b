"""The compiled Adam, dense and lazy, against torch.optim."""

import numpy as np
import pytest
import torch
from small_runs import (
    by_part,
    native,
    parameters,
    random_sentences,
    sampler,
    tensors_of,
    torch_loss,
)

from cmow.training.objectives.negative_sampling import Windows

SENTENCES = random_sentences([5, 9, 2, 14, 7, 3])


def gradients_for_torch(trainer, batch, made, objective, *, lazy) -> list[torch.Tensor]:
    """The core's gradients, as sparse tensors of the rows that autograd finds if lazy.

    The same gradients for both: Adam would blow up the rounding of those that are almost zero.
    """
    dense = [np.zeros_like(each.table) for each in made]
    trainer.gradients(batch, dense, 1)
    dense = [gradient.copy() for gradient in by_part(dense)]
    if not lazy:
        return [torch.from_numpy(gradient) for gradient in dense]
    objective.zero_grad()
    objective(Windows.of(batch, torch.device("cpu"))).backward()
    tensors = tensors_of(objective)
    rows = [tensor.grad.coalesce().indices() for tensor in tensors]
    return [
        torch.sparse_coo_tensor(
            row,
            torch.from_numpy(gradient[row[0].numpy()]),
            gradient.shape,
            check_invariants=True,
        )
        for row, gradient in zip(rows, dense, strict=True)
    ]


@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("share_negatives", [False, True])
@pytest.mark.parametrize("product_rate", [1.0, 2.5])
def test_steps_are_those_of_torch(lazy, share_negatives, product_rate):
    # Two sentences a batch: most words are absent from most batches, where dense and lazy differ.
    drawn = sampler(SENTENCES, batch_sentences=2, share_negatives=share_negatives)
    made, reference = parameters("sum(5)+product(3)"), parameters("sum(5)+product(3)")
    trainer = native(made, lazy=lazy, product_rate=product_rate)
    objective = torch_loss(reference, sparse=lazy)
    tensors = tensors_of(objective)
    times = [1, product_rate, 1, product_rate]  # of the two parts and their outputs
    optimizer = (torch.optim.SparseAdam if lazy else torch.optim.Adam)(
        [{"params": [tensor]} for tensor in tensors]
    )
    for update in range(20):
        rate = 0.01 / (1 + update)
        batch = drawn.batch(update, 1)
        gradients = gradients_for_torch(trainer, batch, made, objective, lazy=lazy)
        trainer.step(batch, update + 1, rate, 2)
        for tensor, gradient in zip(tensors, gradients, strict=True):
            tensor.grad = gradient
        for group, factor in zip(optimizer.param_groups, times, strict=True):
            group["lr"] = factor * rate
        optimizer.step()
    expected = [
        [tensor.detach() for tensor in tensors],
        [optimizer.state[tensor]["exp_avg"] for tensor in tensors],
        [optimizer.state[tensor]["exp_avg_sq"] for tensor in tensors],
    ]
    for name, others in zip(("table", "first_moment", "second_moment"), expected, strict=True):
        arrays = by_part([getattr(trained, name) for trained in made])
        for array, other in zip(arrays, others, strict=True):
            np.testing.assert_allclose(array, other.numpy(), rtol=1e-4, atol=1e-6)


def test_lazy_leaves_absent_words_alone():
    drawn = sampler([[1, 2, 3], [1, 2, 3]], noise=np.eye(23)[4] + np.eye(23)[5])
    made = parameters("sum(5)")
    native(made).step(drawn.batch(0, 1), 1, 0.1, 1)  # moments for the words of the sentence
    before = {name: array.copy() for name, array in made.arrays().items()}
    other = sampler([[6, 7, 8]], noise=np.eye(23)[9] + np.eye(23)[9])
    native(made, lazy=True).step(other.batch(0, 1), 2, 0.1, 1)
    for name, array in made.arrays().items():
        rows = [6, 7, 8, 9]
        changed = np.flatnonzero((array != before[name]).any(axis=1))
        assert set(changed) <= set(rows), name
    assert (made.objective[0].table[9] != before["output.table"][9]).any()
