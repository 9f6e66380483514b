import re

import pytest

from cmow.encoder import SHAPES, Shape
from cmow.errors import ConfigError


def test_named_shapes_have_the_sizes_they_are_named_after():
    sizes = {name: Shape.parse(name).dim for name in SHAPES}
    assert sizes == {
        "cbow-400": 400,
        "cbow-784": 784,
        "cmow-400": 400,
        "cmow-784": 784,
        "hybrid-800": 800,
        "hybrid-1184": 1184,
    }


def test_own_shapes_can_be_written_in_three_ways():
    shape = Shape.parse("sum(3)+product(2)")
    assert (
        shape == Shape.parse(" sum( 3 ) + product(2) ") == Shape.parse([("sum", 3), ("product", 2)])
    )
    assert str(shape) == "sum(3)+product(2)"
    assert shape.dim == 7


def test_repeated_parts_are_numbered():
    assert Shape.parse("sum(1)+sum(2)+product(2)+sum(1)").names == [
        "cbow",
        "cbow-2",
        "cmow",
        "cbow-3",
    ]


@pytest.mark.parametrize(
    ("shape", "named"),
    [
        ("hybrid", "hybrid-800"),
        ("", "''"),
        ("sum(0)", "sum(0)"),
        ("product(1)", "product(1)"),
        ("product(65)", "product(65)"),
        ("mean(4)", "mean"),
        ("sum(4)+", "sum(4)+"),
        ("windows(4,decay=1e)", "'1e' is not a number"),
        ("windows(4,decay=0)", "decay must be a positive number, not 0"),
        ("windows(4,rank=2)", "windows has no option rank"),
        ([], "at least one part"),
    ],
)
def test_a_wrong_shape_is_named(shape, named):
    with pytest.raises(ConfigError, match=re.escape(named)):
        Shape.parse(shape)
