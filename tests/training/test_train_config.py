"""The settings of a run, by flags, TOML and JSON."""

import json
from dataclasses import asdict, replace

import pytest

from cmow.cli import init
from cmow.corpus import PrepareSettings
from cmow.encoder import SHAPES
from cmow.errors import ConfigError
from cmow.settings import read_toml, settings_of, write_toml
from cmow.training.config import (
    PAPER,
    PREPARE,
    PRESETS,
    RECIPES,
    UPDATES_OF_DECAY,
    TrainConfig,
    read_settings,
)
from cmow.training.schedule import learning_rate, total_updates


def test_the_paper_s_recipe_is_the_paper_s():
    config = TrainConfig.of({"recipe": "paper"})
    assert config.shape == "hybrid-800"
    assert (config.batch_sentences, config.centers, config.window) == (1024, 30, 5)
    assert (config.target, config.negatives, config.noise_exponent) == ("random", 20, 0.75)
    assert (config.share_negatives, config.negatives_loss) == ("window", "sum")
    assert (config.adam, config.learning_rate, config.schedule) == ("dense", 3e-4, "constant")
    assert config.product_rate == 1
    assert (config.initialization, config.sigma, config.subsample) == ("identity", 0.1, 0)
    assert (config.validation_share, config.validation_updates) == (0.001, 1000)
    assert (config.patience, config.stop_by) == (10, "validation")
    assert config.prepare.vocabulary_size == 30_000


def test_the_paper_s_recipe_leaves_nothing_to_the_defaults_that_may_change():
    left = {each.name for each in settings_of(TrainConfig)} - PAPER.keys()
    assert left == {
        "continue_from", "extend_vocabulary", "seed", "epochs", "max_updates",
        "max_minutes", "engine", "threads", "average_updates", "device", "precision", "compile",
        "report_updates", "checkpoint_updates", "checkpoint_minutes", "keep_output",
        "keep_run",
    }  # fmt: skip


def test_every_recipe_and_preset_is_valid():
    for recipe in RECIPES:
        for shape in SHAPES:
            assert TrainConfig.of({"recipe": recipe, "shape": shape}).shape == shape


@pytest.mark.parametrize("told", [PRESETS, init.SHAPE])
def test_the_help_names_every_preset(told):
    assert [shape for shape in SHAPES if shape not in told] == []


def test_all_faults_are_named_at_once():
    with pytest.raises(ConfigError) as caught:
        TrainConfig.of(
            {
                "recipe": "best",
                "windw": 3,
                "window": 0,
                "learning_rate": "fast",
                "adam": "sparse",
                "shape": "cube(3)",
                "keep_output": 1,
                PREPARE: {"vocabulary_size": 1, "sise": 2},
            }
        )
    message = str(caught.value)
    assert "\n" not in message
    for fault in (
        "unknown recipe 'best'",
        "no setting windw",
        "window must be a whole number from 1 to 1000, not 0",
        "learning_rate must be a number above 0, not 'fast'",
        "adam must be one of dense, lazy, not 'sparse'",
        "cube",
        "keep_output must be true or false, not 1",
        "vocabulary_size",
        "no setting prepare.sise",
    ):
        assert fault in message


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"extend_vocabulary": True}, "goes with continue_from"),
        ({"compile": True, "adam": "lazy"}, "set adam to dense"),
        ({"recipe": ["paper"]}, "unknown recipe"),
        ({"validation_share": 0}, "set stop_by to training"),
        ({"seed": -1}, "seed"),
        ({"max_minutes": float("nan")}, "max_minutes"),
        ({"threads": True}, "threads"),
        ({PREPARE: 5}, "table of settings"),
        ({"device": "cuda"}, "set engine to torch"),
        ({"precision": "bfloat16"}, "set engine to torch"),
    ],
)
def test_settings_that_make_no_sense_are_refused(values, fault):
    with pytest.raises(ConfigError, match=fault):
        TrainConfig.of(values)


def test_a_layer_that_makes_no_sense_is_refused():
    with pytest.raises(ConfigError, match="table of settings"):
        TrainConfig.merged({PREPARE: 5}, {"seed": 1})


def test_toml_goes_there_and_back(tmp_path):
    config = TrainConfig(
        shape="sum(3)+product(2)",
        epochs=2.5,
        learning_rate=1e-5,
        keep_output=True,
        continue_from='a "strange"\\ näme',
        prepare=PrepareSettings(vocabulary_size=77, word_list="words.txt", split=True),
    )
    path = tmp_path / "settings.toml"
    path.write_text(write_toml(config), "utf-8")
    assert TrainConfig.of(read_toml(path)) == config
    assert TrainConfig.of(json.loads(json.dumps(config.as_dict()))) == config


def test_every_setting_is_explained():
    text = write_toml(TrainConfig())
    for each in settings_of(TrainConfig):
        assert each.metadata["comment"] in text
    for each in settings_of(PrepareSettings):
        assert each.name in text
        assert each.metadata["comment"] in text


def test_later_layers_prevail():
    file = {"window": 3, "seed": 5, PREPARE: {"lowercase": False, "vocabulary_size": 10}}
    flags = {"window": 4, PREPARE: {"vocabulary_size": 20}}
    config = TrainConfig.of(TrainConfig.merged(file, flags))
    assert (config.window, config.seed) == (4, 5)
    assert asdict(config.prepare)["lowercase"] is False
    assert config.prepare.vocabulary_size == 20


def test_a_file_that_is_not_toml_is_named(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("window = = 3")
    with pytest.raises(ConfigError, match=r"settings\.toml: not a TOML file"):
        read_toml(path)


def test_a_file_of_settings_is_named_with_all_its_faults(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(
        'recipe = "papers"\nmax_updats = 3\nwindow = 0\nshape = "sum(0)"\n'
        '[prepare]\ninvalid = "ignore"\nlower = true\n'
    )
    with pytest.raises(ConfigError) as caught:
        read_settings(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: unknown recipe 'papers'")
    for fault in (
        "there is no setting max_updats",
        "window must be",
        "shape: ",
        "there is no setting prepare.lower",
        "invalid must be one of",
    ):
        assert message.count(fault) == 1


def test_settings_of_a_file_may_need_those_of_others(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text("compile = true\nvalidation_share = 0\n")
    assert read_settings(path) == {"compile": True, "validation_share": 0}


def test_the_rate_warms_up_and_decays():
    config = TrainConfig(learning_rate=0.1, warmup_updates=4, max_updates=14, schedule="linear")
    rates = [learning_rate(config, update, 14) for update in range(14)]
    assert rates[:4] == pytest.approx([0.025, 0.05, 0.075, 0.1])
    assert rates[4:] == pytest.approx([0.1 * left / 10 for left in range(10, 0, -1)])
    cosine = replace(config, schedule="cosine")
    halfway = learning_rate(cosine, 9, 14)
    assert halfway == pytest.approx(0.05)
    assert learning_rate(cosine, 4, 14) == pytest.approx(0.1)
    assert 0 < learning_rate(cosine, 13, 14) < 0.01
    constant = TrainConfig(learning_rate=0.1, schedule="constant")
    assert learning_rate(constant, 10**6, None) == 0.1


def test_the_first_limit_counts():
    assert total_updates(TrainConfig(schedule="constant"), 1000) is None
    assert total_updates(TrainConfig(schedule="linear"), 1000) == UPDATES_OF_DECAY
    assert total_updates(TrainConfig(max_updates=7), 1000) == 7
    assert total_updates(TrainConfig(epochs=2, batch_sentences=300), 1000) == 7
    assert total_updates(TrainConfig(epochs=2, batch_sentences=300, max_updates=3), 1000) == 3
