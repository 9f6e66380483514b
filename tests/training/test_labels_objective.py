"""The objective of labels: the core against autograd, both engines alike, and what batches hold."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from small_runs import WORDS, Texts, random_parameters, threads_change_no_bit

from cmow import _core
from cmow.encoder.initialization import initial_parts
from cmow.errors import ConfigError
from cmow.training import Answers, LabelsObjective, LabelsStart, TrainConfig
from cmow.training.engines import make_engine
from cmow.training.engines.native import NativeEngine
from cmow.training.engines.torch import Loss
from cmow.training.world import World

CLASSES = 19  # more than a thread takes at a time
SHAPES = ["mean(sum(6))", "sum(5)+product(3)", "mean(sum(5))+mean(product(2))+windows(3)"]
CONFIG = TrainConfig(batch_sentences=8, threads=1, device="cpu")
LENGTHS = [3, 14, 7, 0, 2, 9, 25, 5, 1, 11, 4, 8] * 6
LOSSES = ["softmax", "logistic", "squared"]


def answers_of(loss="softmax", *, pairs=False, texts=72):
    generator = np.random.default_rng(3)
    examples = texts // (2 if pairs else 1)
    targets = generator.random((examples, CLASSES)).astype(np.float32)
    if loss == "softmax":
        targets = targets**20 / np.sum(targets**20, axis=1, keepdims=True)
    return Answers(
        targets=targets,
        held_out=np.arange(examples) % 5 == 0,
        loss=loss,
        weights=generator.uniform(0.5, 2, CLASSES).astype(np.float32),
        pairs=pairs,
    )


def made_of(shape, config=CONFIG, loss="softmax", *, pairs=False, **options):
    texts = Texts(LENGTHS)
    objective = LabelsObjective(answers_of(loss, pairs=pairs), config, **options)
    return texts, objective, random_parameters(objective, shape)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("pairs", [False, True], ids=["texts", "pairs"])
def test_native_gradients_are_those_of_autograd(shape, loss, pairs):
    texts, objective, made = made_of(shape, loss=loss, pairs=pairs)
    for update in range(3):
        batch = objective.batches(texts).batch(update, 1)
        assert len(batch) == (16 if pairs else 8)
        module = Loss(made, objective, sparse=False).double()
        found = module(objective.torch_examples(batch, torch.device("cpu")))
        (found / len(batch)).backward()
        trainer = NativeEngine(made, objective, CONFIG)._trainer
        out = [np.zeros_like(each.table) for each in made]
        assert trainer.gradients(batch, out, 2) == pytest.approx(found.item(), rel=1e-5)
        assert trainer.loss(batch, 2) == pytest.approx(found.item(), rel=1e-5)
        layers = [
            *module.parts.layers,
            *(layer for some in module.own_layers.values() for layer in some),
        ]
        for gradient, layer in zip(out, layers, strict=True):
            wanted = layer.weight.grad.numpy()
            largest = float(np.abs(wanted).max())
            np.testing.assert_allclose(gradient, wanted, rtol=1e-4, atol=1e-5 * largest)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("pairs", [False, True], ids=["texts", "pairs"])
def test_of_examples_held_out_mistakes_are_counted(loss, pairs):
    texts, objective, made = made_of(SHAPES[2], loss=loss, pairs=pairs)
    batch = objective.batches(texts).validation_batch(0, 1)
    assert batch.judged
    module = Loss(made, objective, sparse=False)
    wanted = module(objective.torch_examples(batch, torch.device("cpu"))).item()
    found = NativeEngine(made, objective, CONFIG)._trainer.loss(batch, 1)
    assert found == pytest.approx(wanted, rel=1e-5)
    assert found > 0


@pytest.mark.parametrize("score", [-1e4, -90.0, 0.0, 90.0, 1e4])
@pytest.mark.parametrize("loss", LOSSES)
def test_losses_stay_finite_however_large_the_scores(score, loss):
    texts, objective, made = made_of("sum(6)", loss=loss)
    made.objective[1].table[0, ::2] = score
    batch = objective.batches(texts).batch(0, 1)
    module = Loss(made, objective, sparse=False).double()
    wanted = module(objective.torch_examples(batch, torch.device("cpu"))).item()
    found = NativeEngine(made, objective, CONFIG)._trainer.loss(batch, 1)
    assert found == pytest.approx(wanted, rel=1e-4)


@pytest.mark.parametrize("adam", ["dense", "lazy"])
@pytest.mark.parametrize("pairs", [False, True], ids=["texts", "pairs"])
def test_engines_agree_and_learn(adam, pairs):
    found = {}
    for engine in ("native", "torch"):
        config = replace(CONFIG, engine=engine, adam=adam)
        start = LabelsStart(rates={"cmow": 0.0, "cbow": 2.0})
        texts, objective, made = made_of(SHAPES[1], config, pairs=pairs, start=start)
        before = made.parts[1].table.copy()
        running = make_engine(made, objective, config, World())
        batches = objective.batches(texts)
        found[engine] = [
            running.step(batch, update=update, learning_rate=0.01) / len(batch)
            for update in range(100)
            for batch in [batches.batch(update, 1)]
        ]
        np.testing.assert_array_equal(running.parameters().parts[1].table, before)
    np.testing.assert_allclose(found["native"], found["torch"], rtol=1e-3)
    assert np.mean(found["native"][-10:]) < 0.9 * found["native"][0]


@pytest.mark.parametrize("pairs", [False, True], ids=["texts", "pairs"])
def test_an_epoch_has_each_example_once_with_its_targets(pairs, monkeypatch):
    monkeypatch.setattr("cmow.training.objectives.labels.DRAWN_AT_ONCE", 25)
    texts, objective, _ = made_of("sum(6)", pairs=pairs)
    answers, batches = answers_of(pairs=pairs), objective.batches(texts)
    count = 2 if pairs else 1

    def examples(batch):
        for number, targets in enumerate(batch.targets):
            (example,) = np.flatnonzero((answers.targets == targets).all(axis=1))
            for text in range(count):
                _, low, target, high = batch.windows[number * count + text]
                place = example * count + text
                words = texts.flat[texts.offsets[place] : texts.offsets[place + 1]]
                assert batch.ids[low:high].tolist() == words.tolist()
                assert target == -1
            yield int(example)

    epoch = batches.sentences_per_epoch
    drawn = [each for update in range(epoch) for each in examples(batches.batch(update, 1))]
    trained = np.flatnonzero(~answers.held_out).tolist()
    assert len(trained) == epoch
    for number in range(8):
        assert sorted(drawn[number * epoch : (number + 1) * epoch]) == trained
    held_out = [
        each
        for index in range(batches.validation_batches)
        for each in examples(batches.validation_batch(index, 1))
    ]
    assert held_out == np.flatnonzero(answers.held_out).tolist()


@pytest.mark.parametrize("pairs", [False, True], ids=["texts", "pairs"])
def test_dropped_words_follow_from_seed_and_update_in_any_number_of_processes(pairs):
    texts, objective, _ = made_of("sum(6)", pairs=pairs, word_dropout=0.4)
    whole = made_of("sum(6)", pairs=pairs)[1].batches(texts).batch(3, 1)
    batches = objective.batches(texts)
    batch = batches.batch(3, 1)
    assert len(batch) == len(whole)
    assert 0.3 * len(whole.ids) < len(batch.ids) < 0.8 * len(whole.ids)
    for some, all_words in zip(batch.windows, whole.windows, strict=True):
        left = whole.ids[all_words[1] : all_words[3]].tolist()
        kept = batch.ids[some[1] : some[3]].tolist()
        assert bool(kept) == bool(left)
        for word in kept:  # a subsequence
            left = left[left.index(word) + 1 :]

    def texts_of(batch):
        return [batch.ids[low:high].tolist() for _, low, _, high in batch.windows]

    count = 2 if pairs else 1
    shares = [batches.batch(3, 1, rank, 3) for rank in range(3)]
    for rank, share in enumerate(shares):
        mine = [t for n, t in enumerate(texts_of(batch)) if n // count % 3 == rank]
        assert texts_of(share) == mine
        np.testing.assert_array_equal(share.targets, batch.targets[rank::3])
    assert texts_of(batches.batch(3, 1)) == texts_of(batch) != texts_of(batches.batch(4, 1))


@pytest.mark.parametrize("pairs", [False, True], ids=["texts", "pairs"])
def test_any_number_of_threads_gives_the_same_bits(pairs):
    threads_change_no_bit(
        lambda shape, config: made_of(shape, config, pairs=pairs, word_dropout=0.2), CONFIG
    )


def test_a_start_gives_its_rows_to_the_first_words():
    parts = initial_parts("sum(4)", words=WORDS)
    known = initial_parts("sum(4)", words=3, seed=5)
    _, objective, _ = made_of("sum(4)", start=LabelsStart(known))
    (started,) = objective.start(parts, None)
    np.testing.assert_array_equal(started.table[:3], known[0].table)
    np.testing.assert_array_equal(started.table[3:], parts[0].table[3:])


def test_misuse_is_refused():
    with pytest.raises(ConfigError, match="72 texts and 71 labels"):
        LabelsObjective(answers_of(texts=71), CONFIG).batches(Texts(LENGTHS))
    ids, offsets = np.zeros(3, np.int32), np.array([0, 1, 3])
    for bad in ([[1.0]] * 3, []):
        with pytest.raises(ValueError, match="for each text, or for each two"):
            _core.labelled_batch(ids, offsets, np.array(bad, np.float32).reshape(-1, 1), False)
    with pytest.raises(ValueError, match="rise"):
        _core.labelled_batch(ids, offsets[::-1].copy(), np.ones((2, 1), np.float32), False)
    texts, objective, made = made_of("sum(6)", pairs=True)
    single = made_of("sum(6)")[1].batches(texts).batch(0, 1)
    with pytest.raises(IndexError, match="pairs of texts are wanted"):
        NativeEngine(made, objective, CONFIG)._trainer.loss(single, 1)
    narrow, (_, objective, wide) = made_of("sum(6)")[2], made_of("sum(7)")
    with pytest.raises(ValueError, match="as wide as what it maps"):
        NativeEngine(replace(wide, objective=narrow.objective), objective, CONFIG).loss(single)
    own = {each.name: each.native() for each in made.objective}
    weights = np.ones(CLASSES, np.float32)
    with pytest.raises(ValueError, match="no such loss"):
        _core.labels_objective(own["head"], own["bias"], weights, "hinge", False)
    with pytest.raises(ValueError, match="a weight an output"):
        _core.labels_objective(own["head"], own["bias"], weights[1:], "softmax", False)
