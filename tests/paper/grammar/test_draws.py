from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from cmow.paper.grammar.draws import Draws, Weighted


def test_the_stream_is_fixed():
    draws = Draws(42)
    assert [draws.below(1000) for _ in range(6)] == [773, 438, 858, 697, 94, 975]


@given(st.integers(1, 10**6), st.integers(0, 2**40))
def test_numbers_stay_below_their_bound(bound, seed):
    draws = Draws(seed)
    assert all(0 <= draws.below(bound) < bound for _ in range(20))


def test_items_come_in_proportion_to_their_weights():
    weighted = Weighted("abc", [6, 3, 1])
    draws = Draws(1)
    counts = Counter(weighted.draw(draws) for _ in range(10_000))
    assert [round(counts[item] / 1000) for item in "abc"] == [6, 3, 1]


def test_an_item_without_weight_never_comes():
    weighted = Weighted("abc", [1, 0, 1])
    draws = Draws(1)
    assert {weighted.draw(draws) for _ in range(1000)} == {"a", "c"}
