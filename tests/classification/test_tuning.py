"""Tuning: the best of what was tried, and what was given stays."""

import pytest
from labelled import QUICK, chases

from cmow import Classifier
from cmow.classification import Examples, tune
from cmow.errors import ConfigError


def test_the_best_trial_is_taken_and_what_was_given_stays():
    examples = Examples.of(*chases(150))
    classifier = Classifier(start=None, shape=QUICK["shape"], threads=1, learning_rate=0.02)
    trials = []
    best = tune(classifier, examples, seconds=4, tell=trials.append)
    assert trials[0].settings == {"shape": QUICK["shape"], "threads": 1, "learning_rate": 0.02}
    assert len(trials) > 1
    assert best.score == max(trial.score for trial in trials)
    assert classifier.settings == best.settings
    for trial in trials[1:]:
        assert {"epochs", "word_dropout"} <= trial.settings.keys()
        assert trial.settings["learning_rate"] == 0.02
    assert len({trial.settings["epochs"] for trial in trials[1:]} | {None}) > 1


def test_what_cannot_be_tuned_is_refused():
    examples = Examples.of(*chases(40))
    with pytest.raises(ConfigError, match="either tune chooses how long"):
        tune(Classifier(max_minutes=1.0), examples, seconds=1)
    with pytest.raises(ConfigError, match="nothing is held out to choose by"):
        tune(Classifier(**QUICK, validation_share=0.0), examples, seconds=1)
