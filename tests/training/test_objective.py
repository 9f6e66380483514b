"""The objective in PyTorch against the paper's equation, word for word; the core against both."""

import math
from collections.abc import Iterator

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from numpy_reference import compose
from small_runs import (
    by_part,
    native,
    parameters,
    random_sentences,
    sampler,
    tensors_of,
    torch_loss,
)

from cmow._core import Batch
from cmow.encoder import Part
from cmow.training.objectives.negative_sampling import Windows
from cmow.training.parameters import Parameters

CPU = torch.device("cpu")
# One-word sentences have no window; two-word ones are all edge; the others have both.
LENGTHS = [1, 2, 2, 3, 1, 9, 20, 4]
LARGE = [
    "product(20)",
    "sum(400)+product(20)",
    "product(28)",
    "sum(784)",
    "sum(400)+product(20)+reversed(20)",
    "sum(384)+product(16)+windows(16)",
]
SHAPES = [
    "sum(5)",
    "product(3)",
    "reversed(3)",
    "windows(3)",
    "mean(sum(4))+mean(product(2))",
    "product(7)+sum(3)+product(2)",
    "windows(5,decay=0.8)+reversed(4)+mean(windows(2))",
]


def literal_loss(batch: Batch, made: Parameters, *, mean_negatives: bool) -> float:
    """The equation of section 3.2 in loops."""
    total, output = 0.0, made.objective[0].table
    for number, (slot, low, target, high) in enumerate(batch.windows):
        context = [*batch.ids[low:target], *batch.ids[target + 1 : high]]
        pairs = zip(made.shapes, made.parts, strict=True)
        embedding = np.concatenate([_composed(*pair, context) for pair in pairs])
        negatives = batch.negatives[slot if batch.shared_negatives else number]
        total += _softplus(-output[batch.ids[target]] @ embedding)
        noise = sum(_softplus(output[word] @ embedding) for word in negatives)
        total += noise / len(negatives) if mean_negatives else noise
    return total


def _composed(shape, part, context) -> np.ndarray:
    return compose(Part(part.name, shape, part.table), context)


def _softplus(score: float) -> float:
    return math.log1p(math.exp(-abs(score))) + max(score, 0)


def batches(**changes) -> Iterator[Batch]:
    drawn = sampler(random_sentences(LENGTHS), **changes)
    for update in range(3):
        yield drawn.batch(update, 1)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("share_negatives", [False, True])
@pytest.mark.parametrize("mean_negatives", [False, True])
def test_torch_computes_the_paper_s_equation(shape, share_negatives, mean_negatives):
    made = parameters(shape)
    objective = torch_loss(made, mean_negatives=mean_negatives)
    for batch in batches(share_negatives=share_negatives):
        expected = literal_loss(batch, made, mean_negatives=mean_negatives)
        assert objective(Windows.of(batch, CPU)).item() == pytest.approx(expected, rel=1e-5)


def check_gradients(batch: Batch, made: Parameters, *, mean_negatives: bool) -> None:
    """Compare loss and gradients of the core with those of autograd, in double precision."""
    objective = torch_loss(made, mean_negatives=mean_negatives).double()
    loss = objective(Windows.of(batch, CPU))
    (loss / max(len(batch), 1)).backward()
    out = [np.zeros_like(each.table) for each in made]
    trainer = native(made, mean_negatives=mean_negatives)
    assert trainer.loss(batch, 1) == pytest.approx(loss.item(), rel=1e-5)
    assert trainer.gradients(batch, out, 2) == pytest.approx(loss.item(), rel=1e-5)
    for gradient, tensor in zip(by_part(out), tensors_of(objective), strict=True):
        np.testing.assert_allclose(gradient, tensor.grad.numpy(), rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("random_target", [False, True])
@pytest.mark.parametrize("share_negatives", [False, True])
@pytest.mark.parametrize("mean_negatives", [False, True])
@pytest.mark.parametrize("initialization", ["identity", "glorot", "normal"])
def test_native_gradients_are_those_of_autograd(
    shape, random_target, share_negatives, mean_negatives, initialization
):
    made = parameters(shape, initialization=initialization)
    for batch in batches(random_target=random_target, share_negatives=share_negatives):
        check_gradients(batch, made, mean_negatives=mean_negatives)


@pytest.mark.parametrize("shape", LARGE)
@pytest.mark.parametrize("share_negatives", [False, True])
def test_native_gradients_of_large_shapes(shape, share_negatives):
    batch = next(batches(share_negatives=share_negatives))
    check_gradients(batch, parameters(shape), mean_negatives=False)


@given(
    lengths=st.lists(st.integers(1, 40), min_size=1, max_size=12),
    window=st.integers(1, 9),
    centres=st.integers(1, 40),
    negatives=st.integers(1, 25),
    random_target=st.booleans(),
    share_negatives=st.booleans(),
    size=st.integers(2, 12),
    matrices=st.sampled_from(["product", "reversed", "windows"]),
)
@hypothesis_settings(max_examples=40, deadline=None)
def test_native_gradients_for_any_sampling(
    lengths, window, centres, negatives, random_target, share_negatives, size, matrices
):
    drawn = sampler(
        random_sentences(lengths),
        window=window,
        centres=centres,
        negatives=negatives,
        random_target=random_target,
        share_negatives=share_negatives,
    )
    made = parameters(f"sum({size})+{matrices}({size})")
    check_gradients(drawn.batch(0, 1), made, mean_negatives=False)


def test_a_batch_without_windows_changes_nothing():
    batch = sampler([[1], [2], [3]]).batch(0, 1)
    made = parameters("sum(3)+product(2)")
    before = {name: array.copy() for name, array in made.arrays().items()}
    assert len(batch) == 0
    assert native(made).step(batch, 1, 0.1, 2) == 0
    assert torch_loss(made)(Windows.of(batch, CPU)).item() == 0
    for name, array in made.arrays().items():
        np.testing.assert_array_equal(array, before[name])
