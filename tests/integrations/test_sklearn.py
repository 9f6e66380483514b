"""scikit-learn itself: its checks, pipelines, frames and pickles."""

import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks as checks

import cmow
from cmow.errors import ConfigError
from cmow.integrations.sklearn import EncoderTransformer


def test_it_passes_the_checks_that_apply_to_texts(model):
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Can't test estimator")
        done = checks.check_estimator(EncoderTransformer(model), on_fail="raise")
    assert [each["status"] for each in done] == ["passed"]  # as for its own vectorizers
    for check in (
        checks.check_estimator_repr,
        checks.check_estimator_tags_renamed,
        checks.check_get_params_invariance,
        checks.check_mixin_order,
        checks.check_no_attributes_set_in_init,
        checks.check_parameters_default_constructible,
        checks.check_set_params,
        checks.check_valid_tag_types,
    ):
        check("EncoderTransformer", EncoderTransformer(model))


def test_a_pipeline_learns_and_searches(model, texts):
    labels = [text.split()[0] == "the" for text in texts]
    pipeline = make_pipeline(EncoderTransformer(model), LogisticRegression(max_iter=500))
    search = GridSearchCV(
        pipeline, {"encodertransformer__normalize": [None, "all", "parts"]}, cv=2, n_jobs=2
    )
    search.fit(texts, labels)
    assert search.score(texts, labels) > 0.8
    again = pickle.loads(pickle.dumps(search.best_estimator_))
    np.testing.assert_array_equal(again.predict(texts), search.predict(texts))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_columns_go_in_and_frames_come_out(model, texts, library):
    frame = {"pandas": pd, "polars": pl}[library].DataFrame(
        {"text": texts, "length": [len(text) for text in texts]}
    )
    transformer = EncoderTransformer(model, dimensions=4).set_output(transform=library)
    found = transformer.fit_transform(frame["text"])
    assert isinstance(found, type(frame))
    assert list(found.columns) == ["cmow0", "cmow1", "cmow2", "cmow3"]
    np.testing.assert_array_equal(found.to_numpy(), cmow.load(model).encode(texts, dimensions=4))
    columns = make_column_transformer(
        (EncoderTransformer(model), "text"), ("passthrough", ["length"])
    )
    assert columns.fit_transform(frame).shape == (len(texts), 16 + 25 + 1)


def test_a_pickle_has_the_path_and_not_the_tables(hybrid, texts, tmp_path):
    hybrid.save(tmp_path / "model")
    fitted = EncoderTransformer(tmp_path / "model").fit(texts)
    pickled = pickle.dumps(fitted)
    assert len(pickled) < 1000
    np.testing.assert_array_equal(pickle.loads(pickled).transform(texts), hybrid.encode(texts))
    hybrid.part("cmow").save(tmp_path / "model")
    with pytest.raises(ConfigError, match="not the model that the transformer was fitted with"):
        pickle.loads(pickled).transform(texts)


def test_wrong_settings_are_refused_before_any_text_is_encoded(model):
    for settings in ({"dimensions": 0}, {"normalize": "l2"}, {"threads": 0}):
        with pytest.raises(ConfigError, match=next(iter(settings))):
            EncoderTransformer(model, **settings).fit([])
    with pytest.raises(TypeError, match="not a single str"):
        EncoderTransformer(model).fit([]).transform("a text")


def test_an_encoder_in_memory_is_refused(hybrid, texts):
    with pytest.raises(ConfigError, match="save it"):
        clone(EncoderTransformer(hybrid)).fit(texts)
