"""Two engines, one result; any number of threads, the same bits."""

import os
from dataclasses import replace

import numpy as np
import pytest
from small_runs import WORDS, parameters, random_sentences, sampler

from cmow.training.config import TrainConfig
from cmow.training.engines import make_engine
from cmow.training.objectives import NegativeSampling
from cmow.training.parameters import Parameters
from cmow.training.world import World

SENTENCES = random_sentences([3, 14, 7, 2, 9, 25, 5, 1, 11] * 4, seed=5)
CONFIG = TrainConfig(negatives=4, product_rate=2.5, threads=1, device="cpu")


def losses(config: TrainConfig, updates: int, *, shape: str):
    """Train small parameters; returns the losses of a window and the parameters."""
    drawn = sampler(SENTENCES, share_negatives=config.share_negatives == "sentence")
    made, objective = parameters(shape), NegativeSampling(config)
    own = objective.tables(made.shapes, WORDS)  # with the output table at zero
    made = Parameters.of(made.encoder_parts(), own)
    engine = make_engine(made, objective, config, World())
    found = []
    for update in range(updates):
        batch = drawn.batch(update, 1)
        found.append(engine.step(batch, update=update, learning_rate=0.01) / len(batch))
    return np.array(found), engine.parameters()


HYBRID = "sum(5)+product(4)"


@pytest.mark.parametrize("adam", ["dense", "lazy"])
@pytest.mark.parametrize("share_negatives", ["window", "sentence"])
@pytest.mark.parametrize("shape", [HYBRID, "mean(sum(5))+reversed(3)+windows(4)"])
def test_engines_agree_after_200_updates(adam, share_negatives, shape):
    config = replace(CONFIG, adam=adam, share_negatives=share_negatives)
    native, _ = losses(config, 200, shape=shape)
    torch, _ = losses(replace(config, engine="torch"), 200, shape=shape)
    assert native[0] == pytest.approx(5 * np.log(2), rel=1e-6)  # all is guessed at first
    assert native[-20:].mean() < 0.8 * native[0]
    np.testing.assert_allclose(native, torch, rtol=1e-4)


@pytest.mark.parametrize("adam", ["dense", "lazy"])
@pytest.mark.parametrize("share_negatives", ["window", "sentence"])
def test_any_number_of_threads_gives_the_same_bits(adam, share_negatives):
    config = replace(CONFIG, adam=adam, share_negatives=share_negatives)
    shape = f"{HYBRID}+reversed(3)+windows(4)"
    first_losses, first = losses(config, 30, shape=shape)
    for threads in (2, 3):
        other_losses, other = losses(replace(config, threads=threads), 30, shape=shape)
        np.testing.assert_array_equal(first_losses, other_losses)
        for name, array in other.arrays().items():
            np.testing.assert_array_equal(first.arrays()[name], array, err_msg=name)


@pytest.mark.parametrize("engine", ["native", "torch"])
@pytest.mark.parametrize("adam", ["dense", "lazy"])
def test_an_engine_goes_on_from_its_parameters(engine, adam):
    config = replace(CONFIG, engine=engine, adam=adam)
    drawn = sampler(SENTENCES)
    made = parameters("sum(5)+product(4)")
    one = make_engine(made, NegativeSampling(config), config, World())
    for update in range(4):
        one.step(drawn.batch(update, 1), update=update, learning_rate=0.01)
    halfway = {name: array.copy() for name, array in one.parameters().arrays().items()}
    for update in range(4, 8):
        one.step(drawn.batch(update, 1), update=update, learning_rate=0.01)
    again = parameters("sum(5)+product(4)")
    for name, array in again.arrays().items():
        array[:] = halfway[name]
    two = make_engine(again, NegativeSampling(config), config, World())
    for update in range(4, 8):
        two.step(drawn.batch(update, 1), update=update, learning_rate=0.01)
    for name, array in one.parameters().arrays().items():
        np.testing.assert_array_equal(two.parameters().arrays()[name], array, err_msg=name)


def test_loss_without_an_update_is_the_same_for_both():
    batch = sampler(SENTENCES).batch(0, 1)
    native, torch = (
        make_engine(
            parameters("sum(5)+product(4)"),
            NegativeSampling(CONFIG),
            replace(CONFIG, engine=name),
            World(),
        )
        for name in ("native", "torch")
    )
    assert native.loss(batch) == pytest.approx(torch.loss(batch), rel=1e-5)


def test_half_precision_is_close():
    full, _ = losses(replace(CONFIG, engine="torch"), 20, shape=HYBRID)
    half, _ = losses(replace(CONFIG, engine="torch", precision="bfloat16"), 20, shape=HYBRID)
    np.testing.assert_allclose(full, half, rtol=0.03)
    assert not np.array_equal(full, half)


@pytest.mark.skipif("CMOW_SLOW_TESTS" not in os.environ, reason="compiles for half a minute")
@pytest.mark.parametrize("share_negatives", ["window", "sentence"])
def test_compiled_is_the_same(share_negatives):
    config = replace(CONFIG, engine="torch", share_negatives=share_negatives)
    plain, _ = losses(config, 20, shape=HYBRID)
    compiled, _ = losses(replace(config, compile=True), 20, shape=HYBRID)
    np.testing.assert_allclose(plain, compiled, rtol=1e-5)
