"""Names that were spelled otherwise once are still understood."""

import json
from dataclasses import replace

import numpy as np
import pytest

import cmow.encoder
import cmow.evaluation
from cmow.encoder import Encoder
from cmow.errors import ConfigError
from cmow.evaluation.protocols import Outcome
from cmow.evaluation.sentences import details
from cmow.text import Vocabulary
from cmow.training import TrainConfig, differences, read_settings


def test_settings_in_python():
    config = TrainConfig(centres=7, initialisation="glorot")
    assert config == TrainConfig(centers=7, initialization="glorot")
    assert (config.centres, config.initialisation) == (7, "glorot")
    assert replace(config, centers=8).centers == 8
    assert "centres" not in config.as_dict()
    with pytest.raises(AttributeError, match="'TrainConfig' has no attribute 'centre'"):
        _ = config.centre


def test_settings_of_files(tmp_path):
    file = tmp_path / "old.toml"
    file.write_text('recipe = "paper"\ncentres = 7\ninitialisation = "normal"\n')
    values = read_settings(file)
    config = TrainConfig.of(TrainConfig.merged(values, {"centers": 8}))
    assert (config.centers, config.initialization) == (8, "normal")
    with pytest.raises(ConfigError, match="centers must be a whole number"):
        TrainConfig.check({"centres": 0})
    file.write_text("centres = 7\ncenters = 8\n")
    with pytest.raises(ConfigError, match=r"old\.toml: centers is given in two spellings"):
        read_settings(file)


def test_settings_of_runs_and_models_from_before():
    before = TrainConfig(centers=7).as_dict()
    before["centres"], before["initialisation"] = (
        before.pop("centers"),
        before.pop("initialization"),
    )
    kept = json.loads(json.dumps(before))
    assert differences(kept, TrainConfig(centers=7)) == []
    assert differences(kept, TrainConfig()) == ["centers was 7 and is now 30"]


def test_functions():
    words = Vocabulary(["a", "b"])
    before = Encoder.initialise(words, "product(3)", initialisation="normal", seed=1)
    now = Encoder.initialize(words, "product(3)", initialization="normal", seed=1)
    np.testing.assert_array_equal(before.parts[0].rows(), now.parts[0].rows())
    assert cmow.encoder.Neighbour is cmow.encoder.Neighbor
    assert cmow.evaluation.swap_neighbours("a b c") == cmow.evaluation.swap_neighbors("a b c")


def test_details_of_a_result():
    found = details(Outcome(1.0, 2.0, (0.5,), np.zeros(0, np.int64), True))
    assert found["regularisation"] == found["regularization"] == [0.5]
    assert list(found) == ["regularization", "development accuracy", "converged"]
    with pytest.raises(KeyError):
        _ = found["accuracy"]
