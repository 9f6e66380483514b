"""What must hold of the part and the objective that docs/architecture.md adds.

`test_additions.py` runs this with a build of the package that has them, and among it the laws that
hold for every kind of part.
"""

from dataclasses import replace

import numpy as np
import numpy_reference
import pytest
import torch
from test_monoids import *  # noqa: F403

import cmow
from cmow.corpus import Corpus, prepare
from cmow.encoder import Encoder
from cmow.encoder.parts import KINDS
from cmow.paper.grammar import Grammar
from cmow.text import Vocabulary
from cmow.training import TrainConfig
from cmow.training.engines.native import NativeEngine
from cmow.training.engines.torch import Loss, TorchEngine
from cmow.training.objectives import NegativeSampling, Regression
from cmow.training.start import make_start
from cmow.training.world import World

SHAPES = ["basis(3,rank=2)", "sum(3)+basis(6,rank=5,seed=4)+product(2)", "mean(basis(5,rank=3))"]
TEXTS = [sentence.text for sentence in Grammar().sentences(300)]
GENERATOR = np.random.default_rng(0)


def basis_of(monoid, rows):
    """The formula, word for word."""
    basis = monoid.constants().astype(np.float64).reshape(-1, monoid.size, monoid.size)
    product = np.eye(monoid.size)
    for row in rows:
        product = product @ (np.eye(monoid.size) + np.tensordot(row, basis, 1)).T
    return product.T.ravel()


numpy_reference.KINDS["basis"] = basis_of


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus")
    (folder / "texts.txt").write_text("".join(f"{text}\n" for text in TEXTS))
    return prepare(folder / "texts.txt", folder / "prepared")


@pytest.fixture(scope="module")
def vectors(corpus) -> np.ndarray:
    """What another encoder makes of the sentences."""
    teacher = Encoder.initialize(corpus.tokenizer, "sum(7)", sigma=0.3)
    return teacher.encode_ids(corpus.flat, corpus.offsets)


def sampling(_, config) -> NegativeSampling:
    return NegativeSampling(config)


def test_the_kind_is_known():
    assert "basis" in KINDS


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("storage", ["float32", "float16", "int8", "int4"])
def test_encoding_is_the_formula_s_also_after_saving(shape, storage, tmp_path):
    words = Vocabulary([f"w{number}" for number in range(20)])
    Encoder.initialize(words, shape, sigma=0.3).save(tmp_path / "model", storage=storage)
    encoder = cmow.load(tmp_path / "model")
    texts = [GENERATOR.integers(0, 20, length) for length in (0, 1, 2, 9, 30)]
    expected = numpy_reference.reference(encoder.parts, texts)
    scale = np.abs(expected).max()
    np.testing.assert_allclose(encoder.encode_ids(texts) / scale, expected / scale, atol=1e-5)
    assert str(encoder.shape) == shape
    very_long = encoder.encode_ids([GENERATOR.integers(0, 20, 5000)], normalize="parts")
    np.testing.assert_allclose(np.linalg.norm(very_long), len(encoder.parts) ** 0.5, rtol=1e-5)


def test_pieces_compose_and_n_grams_are_cached():
    encoder = Encoder.initialize(Vocabulary(["a", "b", "c"]), "basis(4,rank=3)", sigma=0.3)
    whole, cached = (
        each.encode(["a b c c b a b"])
        for each in (encoder, encoder.with_ngram_cache({"b c": 2, "a b": 3}))
    )
    pieces = encoder.compose(
        encoder.encode_elements(["a b c"]), encoder.encode_elements(["c b a b"])
    )
    np.testing.assert_allclose(encoder.view(pieces), whole, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(cached, whole, rtol=1e-4, atol=1e-5)


LEARNT = pytest.mark.parametrize("make", [sampling, Regression], ids=["sampling", "regression"])


@LEARNT
@pytest.mark.parametrize("shape", [*SHAPES, "sum(5)+product(3)+reversed(3)+windows(2)"])
def test_gradients_are_those_of_autograd(shape, make, corpus, vectors):
    config = TrainConfig(shape=shape, sigma=0.1, batch_sentences=16)
    objective = make(vectors, config)
    made = make_start(corpus, objective, config).parameters
    for own in made.objective:
        own.table[:] = GENERATOR.normal(
            0, 0.1, own.table.shape
        )  # so that gradients reach the parts
    batch = objective.batches(corpus).batch(0, 1)
    loss = Loss(made, objective, sparse=False).double()
    expected = loss(objective.torch_examples(batch, torch.device("cpu")))
    (expected / len(batch)).backward()
    out = [np.zeros_like(each.table) for each in made]
    trainer = NativeEngine(made, objective, config)._trainer
    assert trainer.loss(batch, 1) == pytest.approx(expected.item(), rel=1e-4)
    assert trainer.gradients(batch, out, 2) == pytest.approx(expected.item(), rel=1e-4)
    layers = [[layer] for layer in loss.parts.layers] + [*loss.own_layers.values()]
    for gradient, some in zip(out, layers, strict=True):
        wanted = np.concatenate([layer.weight.grad for layer in some], axis=1)
        assert np.abs(wanted).max() > 0
        np.testing.assert_allclose(gradient, wanted, rtol=1e-4, atol=1e-5)


@LEARNT
@pytest.mark.parametrize("adam", ["lazy", "dense"])
def test_both_engines_learn_the_same(adam, make, corpus, vectors):
    config = TrainConfig(shape="sum(9)+basis(6,rank=8)", adam=adam, batch_sentences=32)
    objective = make(vectors, config)
    start, other = (make_start(corpus, objective, config).parameters for _ in range(2))
    native = NativeEngine(start, objective, config)
    autograd = TorchEngine(other, objective, config, World())
    losses = []
    for update in range(20):
        batch = objective.batches(corpus).batch(update, 1)
        losses.append(native.step(batch, update=update, learning_rate=0.01) / len(batch))
        loss = autograd.step(batch, update=update, learning_rate=0.01)
        assert losses[-1] == pytest.approx(loss / len(batch), rel=1e-3)
    assert losses[-1] < 0.9 * losses[0]


def test_a_run_can_be_resumed_and_its_model_loaded(vectors, tmp_path):
    config = TrainConfig(shape="basis(6,rank=8)", max_updates=20, schedule="constant")
    objective = Regression(vectors, config)
    whole = cmow.train(TEXTS, config, objective=objective, folder=tmp_path / "whole")
    half = replace(config, max_updates=10, keep_run=True)
    cmow.train(TEXTS, half, objective=objective, folder=tmp_path / "resumed")
    cmow.train(TEXTS, config, objective=objective, folder=tmp_path / "resumed", resume=True)
    resumed = cmow.load(tmp_path / "resumed")
    np.testing.assert_array_equal(resumed.encode(TEXTS), whole.encode(TEXTS))
    assert resumed.training["sentences"] == 20 * config.batch_sentences
