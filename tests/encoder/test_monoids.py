"""The laws that everything else rests on."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from cmow.encoder.monoids import Product, Sum, monoid
from cmow.errors import ConfigError

numbers = st.floats(-4, 4, width=32)
monoids = st.one_of(st.integers(1, 9).map(Sum), st.integers(2, 6).map(Product))


@st.composite
def monoid_and_rows(draw, count):
    of = draw(monoids)
    return of, *(draw(arrays(np.float32, of.width, elements=numbers)) for _ in range(count))


@given(monoid_and_rows(3))
def test_composition_is_associative(case):
    of, a, b, c = case
    left, right = of.compose(of.compose(a, b), c), of.compose(a, of.compose(b, c))
    np.testing.assert_allclose(left, right, rtol=1e-4, atol=1e-2)


@given(monoid_and_rows(1))
def test_the_neutral_element_changes_nothing(case):
    of, a = case
    np.testing.assert_array_equal(of.compose(a, of.neutral()), a)
    np.testing.assert_array_equal(of.compose(of.neutral(), a), a)


def test_products_are_in_reading_order_and_flattened_by_columns():
    left, right = np.array([[1, 2], [3, 4]]), np.array([[0, 1], [5, 6]])
    composed = Product(2).compose(left.T.ravel(), right.T.ravel())
    np.testing.assert_array_equal(composed, (left @ right).T.ravel())


def test_rows_compose_pairwise():
    rows = np.random.default_rng(0).normal(size=(4, 9)).astype(np.float32)
    pairwise = Product(3).compose(rows[:2], rows[2:])
    np.testing.assert_allclose(pairwise[1], Product(3).compose(rows[1], rows[3]), rtol=1e-5)


def test_unknown_compositions_are_refused():
    with pytest.raises(ConfigError, match="mean"):
        monoid("mean", 3)
