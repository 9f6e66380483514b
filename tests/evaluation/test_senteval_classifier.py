import numpy as np
import pytest
from senteval import BagOfWords, write_senteval
from test_protocols import clouds, shuffled

from cmow.errors import ConfigError
from cmow.evaluation import evaluate, protocols
from cmow.evaluation.protocols import Samples
from cmow.evaluation.senteval import (
    PENALTIES,
    cross_validated,
    cross_validated_then_tested,
    tuned_on_development,
)


def test_separable_samples_are_told_apart():
    nearly = cross_validated(clouds(200, apart=5), seed=1)  # nine samples say when to stop
    assert nearly.accuracy == pytest.approx(100, abs=3)
    train, test = clouds(200, classes=4, apart=5), clouds(50, classes=4, apart=5, seed=1)
    assert cross_validated_then_tested(train, test, seed=1).accuracy == 100
    assert tuned_on_development(train, test, test, seed=1).accuracy == 100


def test_shuffled_labels_give_chance():
    assert cross_validated(shuffled(clouds(400)), seed=1).accuracy == pytest.approx(50, abs=8)


def test_the_test_fold_is_never_seen():
    """Features that name their sample allow a perfect fit and no generalization at all."""
    random = np.random.default_rng(0)
    known = Samples(np.eye(120, dtype=np.float32), random.integers(0, 2, 120))
    assert cross_validated(known, seed=1).accuracy == pytest.approx(50, abs=15)


def test_the_seed_decides():
    known = clouds(100, apart=0.3)
    one, same, other = (cross_validated(known, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one.predictions, same.predictions)
    assert (one.predictions != other.predictions).any()
    assert len(one.strengths) == 10
    assert set(one.strengths) <= set(PENALTIES)


def test_its_scores_are_not_far_from_the_optimum():
    train, test = clouds(1000, apart=0.3), clouds(2000, apart=0.3, seed=1)
    solved = protocols.cross_validated_then_tested(train, test, seed=1)
    trained = cross_validated_then_tested(train, test, seed=1)
    assert trained.accuracy == pytest.approx(solved.accuracy, abs=3)
    assert trained.converged


def test_tasks_use_the_classifier_that_was_asked_for(tmp_path):
    data = write_senteval(tmp_path)
    tasks = ["CR", "TREC", "MRPC", "SICK-E", "SST2", "BShift"]
    report = evaluate(BagOfWords(), data=data, tasks=tasks, classifier="senteval")
    chosen = [run.result.details["regularization"] for run in report.runs["model"].values()]
    assert {penalty for penalties in chosen for penalty in penalties} <= set(PENALTIES)
    assert report.as_dict()["classifier"] == "senteval"


def test_another_classifier_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="classifier must be one of solved, senteval, not 'svm'"):
        evaluate(BagOfWords(), data=tmp_path, tasks=["CR"], classifier="svm")
