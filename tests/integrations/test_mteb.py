"""MTEB itself scores an encoder, without a network."""

import os
import sys
from pathlib import Path

import mteb
import numpy as np
import pytest
from mteb.models import EncoderProtocol

from cmow.evaluation import evaluate
from cmow.integrations.mteb import CMOWModel, senteval_sts

sys.path.append(str(Path(__file__).parents[1] / "evaluation"))


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    from senteval import write_senteval

    folder = tmp_path_factory.mktemp("senteval")
    write_senteval(folder)
    return folder


def test_its_scores_are_ours(english, data):
    assert os.environ["HF_HUB_OFFLINE"] == "1"
    model = CMOWModel(english)
    assert isinstance(model, EncoderProtocol)
    assert model.mteb_model_meta.embed_dim == english.dim
    names = ("STS12", "STS-B-cosine")
    tasks = senteval_sts(data, names)
    theirs = mteb.evaluate(model, tasks, cache=None, show_progress_bar=False, co2_tracker=False)
    ours = evaluate(english, data=[data], tasks=list(names)).runs["model"]
    for name, result in zip(names, theirs.task_results, strict=True):
        expected = ours[name].result.scores["Pearson, all pairs"] / 100
        assert result.get_score() == pytest.approx(expected, abs=1e-4)
        assert np.isfinite(result.get_score())
