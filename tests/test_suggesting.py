"""Whoever misspells a name is told which one it may have been."""

from hypothesis import given
from hypothesis import strategies as st

from cmow.suggesting import did_you_mean, nearest, slips

WORDS = ["the", "do", "go", "log", "dog", "dogs", "house", "horse"]  # most frequent first


def test_fewest_slips_first_then_the_most_frequent():
    assert nearest("dpg", WORDS) == ["dog"]
    assert nearest("hte", WORDS) == ["the"]
    assert nearest("huose", WORDS) == ["house"]
    assert nearest("hoise", WORDS) == ["house", "horse"]
    assert nearest("Dgo", WORDS) == ["dog", "do", "go"]
    assert nearest("xylophone", WORDS) == []


def test_the_end_of_a_message():
    assert did_you_mean("hoise", WORDS) == ": did you mean house or horse?"
    assert did_you_mean("?", WORDS) == ""


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_slips_of_all_kinds(one, other):
    number = slips(one, other, 9)
    assert number == slips(other, one, 9)
    assert (number == 0) == (one == other)
    assert abs(len(one) - len(other)) <= number <= max(len(one), len(other))
    for place in range(len(one) - 1):
        swapped = one[:place] + one[place + 1] + one[place] + one[place + 2 :]
        assert slips(one, swapped, 9) <= 1
    assert slips(one, other, 1) == min(number, 2)
