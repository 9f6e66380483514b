"""The teacher's objective: the core against autograd, both engines alike, and what batches hold."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch
from small_runs import WORDS, Texts, random_parameters, random_sentences, threads_change_no_bit

from cmow.text import Vocabulary
from cmow.training import JointObjective, Lessons, TeacherObjective, TrainConfig, open_corpus
from cmow.training.engines import make_engine
from cmow.training.engines.native import NativeEngine
from cmow.training.engines.torch import Loss
from cmow.training.objectives import start_vectors
from cmow.training.world import World

DIM = 6
SHAPES = [
    "mean(sum(6))",
    "sum(6)+product(3)",
    "mean(sum(5))+mean(product(2))+mean(windows(3))",
    "reversed(3)+sum(6)",
]
CONFIG = TrainConfig(batch_sentences=8, threads=1, device="cpu", validation_share=0.1)


def lessons_of(count, seed=0):
    generator = np.random.default_rng(seed)
    vectors = generator.normal(size=(count, DIM)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    twins = np.zeros(count, bool)
    twins[2::5] = True
    return Lessons(vectors, twins)


LENGTHS = [3, 14, 7, 2, 9, 25, 5, 1, 11, 4, 4, 8] * 6


def made_of(shape, config=CONFIG, twin_weight=0.3):
    texts = Texts(LENGTHS)
    objective = TeacherObjective(lessons_of(len(texts)), config, twin_weight=twin_weight)
    return texts, objective, random_parameters(objective, shape)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("twin_weight", [0.0, 0.7])
def test_native_gradients_are_those_of_autograd(shape, twin_weight):
    texts, objective, made = made_of(shape, twin_weight=twin_weight)
    for update in range(3):
        batch = objective.batches(texts).batch(update, 1)
        module = Loss(made, objective, sparse=False).double()
        loss = module(objective.torch_examples(batch, torch.device("cpu")))
        (loss / len(batch)).backward()
        trainer = NativeEngine(made, objective, CONFIG)._trainer
        out = [np.zeros_like(each.table) for each in made]
        assert trainer.gradients(batch, out, 2) == pytest.approx(loss.item(), rel=1e-5)
        layers = [
            *module.parts.layers,
            *(layer for some in module.own_layers.values() for layer in some),
        ]
        for gradient, layer in zip(out, layers, strict=True):
            np.testing.assert_allclose(gradient, layer.weight.grad.numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("adam", ["dense", "lazy"])
def test_engines_agree_and_learn(shape, adam):
    found = {}
    for engine in ("native", "torch"):
        config = TrainConfig(batch_sentences=8, threads=1, device="cpu", engine=engine, adam=adam)
        texts, objective, made = made_of(shape, config)
        running = make_engine(made, objective, config, World())
        batches = objective.batches(texts)
        found[engine] = [
            running.step(batch, update=update, learning_rate=0.01) / len(batch)
            for update in range(100)
            for batch in [batches.batch(update, 1)]
        ]
    np.testing.assert_allclose(found["native"], found["torch"], rtol=1e-3)
    assert np.mean(found["native"][-10:]) < 0.85 * found["native"][0]


def test_batches_hold_texts_with_their_twins_and_vectors():
    texts, objective, _ = made_of("sum(6)")
    lessons, batches = lessons_of(len(texts)), objective.batches(texts)
    seen = []
    for update in range(-(-batches.sentences_per_epoch // 8)):
        batch = batches.batch(update, 1)
        for (slot, low, target, high), vector in zip(batch.windows, batch.targets, strict=True):
            (number,) = np.flatnonzero((lessons.vectors == vector).all(axis=1))
            words = texts.flat[texts.offsets[number] : texts.offsets[number + 1]]
            assert batch.ids[low:high].tolist() == words.tolist()
            assert target == -1
            seen.append((number, slot))
        slots = batch.windows[:, 0].tolist()
        twins = [lessons.twins[number] for number, _ in seen[-len(slots) :]]
        assert [a == b for a, b in pairwise(slots)] == twins[1:]
    held_out = {
        int(np.flatnonzero((lessons.vectors == vector).all(axis=1))[0])
        for index in range(batches.validation_batches)
        for vector in batches.validation_batch(index, 1).targets
    }
    assert not held_out & {number for number, _ in seen}


def test_any_number_of_threads_gives_the_same_bits():
    threads_change_no_bit(made_of, CONFIG)


def test_words_start_with_the_mean_of_their_texts(monkeypatch):
    monkeypatch.setattr(start_vectors, "BLOCK", 7)
    texts = Texts(LENGTHS)
    texts.vocabulary = Vocabulary([f"w{number}" for number in range(WORDS)])
    vectors = lessons_of(len(texts)).vectors
    sums, counts = np.zeros((WORDS, DIM)), np.ones((WORDS, 1))
    for number, vector in enumerate(vectors):
        for word in texts.flat[texts.offsets[number] : texts.offsets[number + 1]]:
            sums[word] += vector - vectors.mean(axis=0)
            counts[word] += 1
    found = start_vectors.vectors_of_texts(vectors, texts)
    np.testing.assert_allclose(found, sums / counts, atol=1e-5)


# ---- beside text --------------------------------------------------------------------------------


def joint_of(config, weight=0.5):
    """Sentences of the corpus, and some of them with vectors of a teacher."""
    sentences = [" ".join(f"w{id}" for id in ids) for ids in random_sentences(LENGTHS)]
    corpus = open_corpus(sentences, config, Path())
    lessons = lessons_of(len(sentences))
    objective = JointObjective(sentences, lessons, config, twin_weight=0.3, weight=weight)
    made = random_parameters(objective, config.shape, words=len(corpus.vocabulary))
    return corpus, objective, made


JOINT = replace(CONFIG, shape="mean(sum(6))+product(3)", negatives=3, subsample=0.0)


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("update", [0, 1], ids=["text", "teacher"])
def test_joint_gradients_are_those_of_autograd(update):
    corpus, objective, made = joint_of(JOINT)
    batch = objective.batches(corpus).batch(update, 1)
    module = Loss(made, objective, sparse=False).double()
    loss = module(objective.torch_examples(batch, torch.device("cpu")))
    (loss / len(batch)).backward()
    trainer = NativeEngine(made, objective, JOINT)._trainer
    out = [np.zeros_like(each.table) for each in made]
    assert trainer.gradients(batch, out, 1) == pytest.approx(loss.item(), rel=1e-5)
    layers = [layer for some in module.own_layers.values() for layer in some]
    reached = [layer.weight.grad is not None for layer in layers]
    assert any(reached)
    assert not all(reached)
    for gradient, layer in zip(out, module.parts.layers, strict=False):
        np.testing.assert_allclose(gradient, layer.weight.grad.numpy(), rtol=1e-4, atol=1e-6)


@pytest.mark.usefixtures("here")
def test_both_losses_fall_and_the_encoder_has_the_projection():
    corpus, objective, made = joint_of(replace(JOINT, adam="lazy"))
    engine = make_engine(made, objective, JOINT, World())
    batches = objective.batches(corpus)
    losses = [
        engine.step(batch, update=update, learning_rate=0.01) / len(batch)
        for update in range(200)
        for batch in [batches.batch(update, 1)]
    ]
    for turn in (0, 1):
        assert np.mean(losses[turn::2][-10:]) < 0.9 * np.mean(losses[turn::2][:3])
    assert objective.projection(engine.parameters()).dim == DIM
    kinds = [type(batches.validation_batch(i, 1)) for i in range(batches.validation_batches)]
    assert len(set(kinds)) == 2
