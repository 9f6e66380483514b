"""The laws that everything else rests on."""

from functools import reduce

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy_reference import reference

from cmow import _core
from cmow.encoder import Part, PartShape
from cmow.encoder.parts import KINDS, make_monoid
from cmow.encoder.parts.product import Product
from cmow.errors import ConfigError

numbers = st.floats(-4, 4, width=32)
shapes = st.builds(
    lambda kind, size, mean: PartShape(make_monoid(kind, size), mean),
    st.sampled_from(sorted(KINDS)),
    st.integers(2, 5),
    st.booleans(),
)


@st.composite
def shape_and_rows(draw, count):
    shape = draw(shapes)
    width = shape.monoid.row_width
    return shape, draw(arrays(np.float32, (count, width), elements=numbers))


@st.composite
def shape_and_elements(draw, count):
    """Elements of texts of a word or two, so that they are some that texts have."""
    shape, rows = draw(shape_and_rows(2 * count))
    elements = shape.lift(rows)
    pairs = shape.compose(elements[:count], elements[count:])
    return shape, *(draw(st.sampled_from([pairs[i], elements[i]])) for i in range(count))


@given(shape_and_elements(3))
def test_composition_is_associative(case):
    shape, a, b, c = case
    left, right = shape.compose(shape.compose(a, b), c), shape.compose(a, shape.compose(b, c))
    largest = np.abs(left).max() + 1
    np.testing.assert_allclose(left / largest, right / largest, rtol=1e-4, atol=1e-5)


@given(shape_and_elements(1))
def test_the_neutral_element_changes_nothing(case):
    shape, a = case
    np.testing.assert_array_equal(shape.compose(a, shape.neutral()), a)
    np.testing.assert_array_equal(shape.compose(shape.neutral(), a), a)


@given(shape_and_rows(2))
def test_rows_add_up_where_a_kind_says_so(case):
    shape, rows = case
    monoid = shape.monoid
    if monoid.adds:
        np.testing.assert_array_equal(monoid.view(monoid.lift(rows)), rows)
        composed = monoid.compose(*monoid.lift(rows))
        np.testing.assert_array_equal(monoid.view(composed), rows[0] + rows[1])


@given(shape_and_rows(4))
def test_composed_elements_show_what_the_formula_says(case):
    shape, rows = case
    part = Part("x", shape, rows)
    element = reduce(shape.compose, shape.lift(rows), shape.neutral())
    expected = reference([part], [range(4)])[0]
    scale = np.abs(expected).max() + 1
    np.testing.assert_allclose(shape.view(element) / scale, expected / scale, atol=1e-4)
    folded = shape.view(shape.fold(shape.lift(rows)))
    np.testing.assert_allclose(folded / scale, expected / scale, atol=1e-4)


@given(shape_and_rows(4))
def test_one_formula_serves_numpy_and_torch(case):
    shape, rows = case
    ours = shape.view(shape.fold(shape.lift(rows)))
    theirs = shape.view(shape.fold(shape.lift(torch.from_numpy(rows)))).numpy()
    scale = np.abs(ours).max() + 1
    np.testing.assert_allclose(theirs / scale, ours / scale, atol=1e-5)


@given(shapes)
def test_widths_are_those_of_the_core(shape):
    monoid = shape.monoid
    widths = _core.part_widths(monoid.kind, monoid.size, monoid.constants())
    assert widths == (monoid.row_width, monoid.element_width, monoid.view_width)
    assert len(monoid.origin()) == monoid.row_width
    assert len(monoid.neutral()) == monoid.element_width


def test_every_kind_has_kernels_and_a_name_of_its_own():
    assert sorted(KINDS) == sorted(_core.part_kinds())
    assert len({kind.part_name for kind in KINDS.values()}) == len(KINDS)


@given(shape_and_rows(2))
def test_a_neutral_row_stands_for_no_word(case):
    shape, rows = case
    neutral = shape.neutral_row()
    if neutral is None:
        return
    with_it = shape.lift(np.stack([rows[0], neutral, rows[1]]))
    without = shape.lift(rows)
    np.testing.assert_allclose(
        reduce(shape.compose, with_it), reduce(shape.compose, without), rtol=1e-5, atol=1e-4
    )


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
        make_monoid("mean", 3)


def test_the_core_refuses_what_it_does_not_know():
    with pytest.raises(ValueError, match="no kind of part mean"):
        _core.part_widths("mean", 3, np.zeros(0, np.float32))
    with pytest.raises(ValueError, match="constants"):
        _core.part_widths("windows", 3, np.zeros(0, np.float32))
