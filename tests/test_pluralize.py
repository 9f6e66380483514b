import pytest

from cmow.pluralize import pluralize


@pytest.mark.parametrize(
    ("number", "words"), [(0, "0 tasks"), (1, "1 task"), (2, "2 tasks"), (1_000, "1,000 tasks")]
)
def test_one_is_no_plural(number, words):
    assert pluralize(number, "task") == words
