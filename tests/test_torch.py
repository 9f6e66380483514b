"""Encoders in PyTorch compute what encoders do, learn, and become encoders again."""

import numpy as np
import pytest
import torch

from cmow.encoder import Encoder, Placement, Projection
from cmow.text import Tokenizer, Vocabulary
from cmow.torch import EncoderModule

SHAPE = "sum(5)+product(4)+reversed(3)+windows(3,decay=0.7)+mean(sum(2))+mean(product(2))"
TEXTS = ["a b c", "", "d", "c b a d d c b a b c", "unknown a", "a " * 40]


@pytest.fixture
def encoder():
    words = Tokenizer.whitespace(Vocabulary(["a", "b", "c", "d"]))
    return Encoder.initialize(words, SHAPE, sigma=0.1)


def embedded(module, encoder, texts):
    ids = encoder.tokenizer.ids(texts)
    return module(torch.from_numpy(ids.flat).long(), torch.from_numpy(ids.offsets))


def test_it_computes_what_the_encoder_does(encoder):
    embeddings = embedded(EncoderModule(encoder), encoder, TEXTS)
    np.testing.assert_allclose(
        embeddings.detach().numpy(), encoder.encode(TEXTS), rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize("bound", [1e18, 0.1])
def test_it_projects_as_the_encoder_does(encoder, bound):
    random = np.random.default_rng(0)
    placements = (
        Placement("cbow", 0, 3, factor=0.5),
        Placement("cmow", 1, 5, random.normal(size=(16, 4)).astype(np.float32), longest=bound),
        Placement("windows", 2, 5),
    )
    projection = Projection(placements, random.normal(size=6).astype(np.float32))
    projected = Encoder(encoder.tokenizer, encoder.parts, projection=projection)
    module = EncoderModule(projected)
    embeddings = embedded(module, projected, TEXTS)
    np.testing.assert_allclose(
        embeddings.detach().numpy(), projected.encode(TEXTS), rtol=1e-4, atol=1e-5
    )
    embeddings.square().sum().backward()
    assert all(torch.isfinite(layer.weight.grad).all() for layer in module.layers[:2])
    np.testing.assert_array_equal(module.encoder().encode(TEXTS), projected.encode(TEXTS))


def test_no_texts_have_no_embeddings(encoder):
    assert embedded(EncoderModule(encoder), encoder, []).shape == (0, encoder.dim)


@pytest.mark.parametrize("sparse", [False, True])
def test_it_learns_and_becomes_an_encoder(encoder, sparse):
    module = EncoderModule(encoder, sparse=sparse)
    optimizer = (torch.optim.SparseAdam if sparse else torch.optim.Adam)(
        list(module.parameters()), lr=0.01
    )
    before = encoder.encode(TEXTS)
    losses = []
    for _ in range(20):
        loss = (embedded(module, encoder, TEXTS) - 1).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.9 * losses[0]
    tuned = module.encoder()
    np.testing.assert_allclose(
        tuned.encode(TEXTS), embedded(module, encoder, TEXTS).detach().numpy(), rtol=1e-4, atol=1e-5
    )
    np.testing.assert_array_equal(encoder.encode(TEXTS), before)  # it has not changed


def test_it_trains_in_double_precision(encoder):
    module = EncoderModule(encoder).double()
    assert embedded(module, encoder, TEXTS).dtype == torch.float64
