"""MTEB itself runs the benchmark of word order."""

import mteb
import pytest

from cmow.evaluation import KINDS, evaluate
from cmow.integrations.mteb import CMOWModel
from cmow.integrations.mteb_word_order import WordOrder


def scores(encoder):
    model = CMOWModel(encoder)
    found = mteb.evaluate(model, WordOrder(), cache=None, show_progress_bar=False)
    return found.task_results[0].scores["test"][0]


def test_a_bag_of_words_has_exactly_half(english):
    found = scores(english.bag())
    assert found["main_score"] == 0.5
    assert {found[kind] for kind in KINDS} == {0.5}


def test_its_scores_are_ours(english, tmp_path):
    ours = evaluate(english, data=tmp_path, tasks=["Triples"]).runs["model"]["Triples"].result
    found = scores(english)
    assert 100 * found["main_score"] == pytest.approx(ours.score, abs=0.1)
    for kind in KINDS:
        assert 100 * found[kind] == pytest.approx(ours.scores[kind], abs=0.5)
