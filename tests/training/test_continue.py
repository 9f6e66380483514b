"""Training on with new text, with the old words or with new ones besides."""

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from language import SETTINGS, tables, write_text

import cmow
from cmow import TrainConfig
from cmow.corpus import prepare
from cmow.encoder.initialization import initial_parts
from cmow.encoder.tensors import write_tensors
from cmow.errors import ConfigError, FormatError
from cmow.training.objectives import NegativeSampling
from cmow.training.opening import open_corpus
from cmow.training.start import make_start
from cmow.training.store import read_output

CONFIG = TrainConfig(**SETTINGS, max_updates=20)
NEW = [f"blorp the cat {number} , said the fnord ." for number in ("one", "two", "three")] * 20


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    corpus = write_text(folder / "corpus.txt")
    cmow.train(corpus, replace(CONFIG, keep_output=True), folder=folder / "model")
    return folder / "model"


def output_of(model: Path):
    return read_output(model, cmow.load(model).parts)


def start(model: Path, texts, tmp_path: Path, **changes):
    config = replace(CONFIG, continue_from=str(model), **changes)
    opened = open_corpus(texts, config, tmp_path)
    return make_start(opened, NegativeSampling(config), config)


def test_it_starts_where_the_model_ended(model, tmp_path):
    old = cmow.load(model)
    begun = start(model, NEW, tmp_path, shape="cbow-784")  # the model decides on the shape
    assert begun.tokenizer.vocabulary.words == old.vocabulary.words
    for part, trained in zip(old.parts, begun.parameters.parts, strict=True):
        np.testing.assert_array_equal(part.table, trained.table)
        assert not trained.first_moment.any()
    np.testing.assert_array_equal(begun.parameters.objective[0].table, output_of(model)["output"])
    assert begun.parameters.objective[0].table.any()


def test_it_learns_on(model, tmp_path):
    config = replace(CONFIG, continue_from=str(model))
    texts = (model.parent / "corpus.txt").read_text().splitlines()
    first = []
    cmow.train(
        texts, config, folder=tmp_path / "new", callbacks=[lambda progress: first.append(progress)]
    )
    assert first[0].training_loss < 0.9 * 6 * np.log(2)  # with the output table, not from zero
    encoder = cmow.load(tmp_path / "new")
    assert encoder.vocabulary.words == cmow.load(model).vocabulary.words
    assert not np.array_equal(tables(encoder)[0], tables(cmow.load(model))[0])
    assert not output_of(tmp_path / "new")


def test_without_the_output_table_it_starts_from_zero(model, tmp_path):
    cmow.load(model).save(tmp_path / "copy")
    begun = start(tmp_path / "copy", NEW, tmp_path)
    assert not begun.parameters.objective[0].table.any()


def test_new_words_get_rows_and_old_ones_keep_theirs(model, tmp_path):
    old = cmow.load(model)
    known = len(old.vocabulary)
    begun = start(model, NEW, tmp_path, extend_vocabulary=True, sigma=0.01)
    words = begun.tokenizer.vocabulary.words
    assert words[:known] == old.vocabulary.words
    assert {"blorp", "fnord"} <= set(words[known:])
    fresh = initial_parts(SETTINGS["shape"], words=len(words), sigma=0.01)
    for part, trained, random in zip(old.parts, begun.parameters.parts, fresh, strict=True):
        np.testing.assert_array_equal(trained.table[:known], part.table)
        np.testing.assert_array_equal(trained.table[known:], random.table[known:])
        np.testing.assert_allclose(  # the neutral element and noise
            trained.table[known:], np.tile(part.monoid.neutral(), (len(words) - known, 1)), atol=0.1
        )
    output = begun.parameters.objective[0].table
    np.testing.assert_array_equal(output[:known], output_of(model)["output"])
    assert not output[known:].any()


def test_counts_of_both_texts_add_up(model, tmp_path):
    old = cmow.load(model).vocabulary
    begun = start(model, NEW, tmp_path, extend_vocabulary=True).tokenizer.vocabulary
    assert begun.counts[begun.index("blorp")] == 60
    assert begun.counts[begun.index("the")] == old.counts[old.index("the")] + 120


def test_an_extended_model_knows_the_new_words(model, tmp_path):
    config = replace(CONFIG, continue_from=str(model), extend_vocabulary=True, shape="cbow-784")
    encoder = cmow.train(NEW, config, folder=tmp_path / "new")
    assert encoder.coverage(["blorp the fnord"]).share == 1
    assert encoder.training["continue_from"] == str(model)
    assert encoder.training["shape"] == str(cmow.load(model).shape)


def test_an_extended_run_can_be_resumed(model, tmp_path):
    config = replace(CONFIG, continue_from=str(model), extend_vocabulary=True)
    whole = cmow.train(NEW, config)
    cmow.train(NEW, replace(config, max_minutes=1e-9), folder=tmp_path / "new")
    resumed = cmow.train(NEW, config, folder=tmp_path / "new", resume=True)
    assert resumed.vocabulary.words == whole.vocabulary.words
    for one, two in zip(tables(resumed), tables(whole), strict=True):
        np.testing.assert_array_equal(one, two)


def test_a_prepared_corpus_must_have_the_model_s_words(model, tmp_path):
    prepare(NEW, tmp_path / "prepared")
    config = replace(CONFIG, continue_from=str(model))
    with pytest.raises(ConfigError, match="prepared with other words"):
        cmow.train(tmp_path / "prepared", config)
    settings = replace(CONFIG.prepare, tokenizer=str(model / "tokenizer.json"))
    prepare(NEW, tmp_path / "prepared", settings)
    cmow.train(tmp_path / "prepared", config)


def test_the_output_table_of_another_model_is_refused(model, tmp_path):
    shutil.copytree(model, tmp_path / "model")
    write_tensors(
        tmp_path / "model/output.safetensors", {"output": output_of(model)["output"][:-1]}
    )
    with pytest.raises(FormatError, match=r"output\.safetensors: not of this model; remove it"):
        start(tmp_path / "model", NEW, tmp_path)


def test_so_is_that_of_a_model_that_another_one_was_saved_over(model, tmp_path):
    shutil.copytree(model, tmp_path / "model")
    old = cmow.load(model)
    other = cmow.Encoder.initialize(old.tokenizer, str(old.shape), seed=5)
    other.save(tmp_path / "model")
    with pytest.raises(FormatError, match=r"output\.safetensors: not of this model; remove it"):
        start(tmp_path / "model", NEW, tmp_path)
    (tmp_path / "model/output.safetensors").unlink()
    assert not start(tmp_path / "model", NEW, tmp_path).parameters.objective[0].table.any()


def test_a_model_saved_over_itself_keeps_its_output_table(model, tmp_path):
    shutil.copytree(model, tmp_path / "model")
    cmow.load(model).save(tmp_path / "model")
    assert start(tmp_path / "model", NEW, tmp_path).parameters.objective[0].table.any()


def test_the_model_is_not_overwritten_by_its_successor(model):
    config = replace(CONFIG, continue_from=str(model))
    with pytest.raises(ConfigError, match="is the model to continue from"):
        cmow.train(NEW, config, folder=model)


@pytest.mark.parametrize("texts", ["-", iter(NEW)])
def test_text_for_new_words_is_read_twice(model, texts):
    config = replace(CONFIG, continue_from=str(model), extend_vocabulary=True)
    with pytest.raises(ConfigError, match="put it into a file"):
        cmow.train(texts, config)
