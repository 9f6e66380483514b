"""Columns of pandas and polars are texts like any."""

import numpy as np
import pandas as pd
import polars as pl
import pytest


@pytest.mark.parametrize(
    "column",
    [
        pd.Series,
        lambda texts: pd.Series(texts, dtype="string"),
        lambda texts: pd.Series(texts, index=range(5, 5 + len(texts))),
        pl.Series,
        lambda texts: pl.DataFrame({"text": texts})["text"],
    ],
)
def test_columns_are_encoded_and_compared(hybrid, texts, column):
    np.testing.assert_array_equal(hybrid.encode(column(texts)), hybrid.encode(texts))
    np.testing.assert_array_equal(
        hybrid.similarity(column(texts), texts[:3]), hybrid.similarity(texts, texts[:3])
    )


def test_what_is_missing_is_named(hybrid):
    for column in (pd.Series(["a", None], dtype="string"), pl.Series(["a", None])):
        with pytest.raises(TypeError, match="text 1 is of type N"):
            hybrid.encode(column)
    with pytest.raises(TypeError, match="DataFrame of 2 dimensions"):
        hybrid.encode(pd.DataFrame({"text": ["a"]}))
    with pytest.raises(TypeError, match="text 0 is of type Series"):
        hybrid.encode(pl.DataFrame({"text": ["a"]}))
