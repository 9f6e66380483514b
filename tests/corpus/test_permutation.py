"""Every size gives a permutation, every seed another one, and all are equally likely."""

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chi2

from cmow.corpus.permutation import Permutation

SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 31, 64, 97, 100, 127, 128, 129, 1000, 1024, 1025, 7919, 65536]
SEEDS = st.integers(0, 2**64 - 1)


def is_permutation(order: Permutation) -> bool:
    return bool((np.sort(order[:]) == np.arange(len(order))).all())


@pytest.mark.parametrize("size", SIZES)
def test_every_number_comes_once(size: int) -> None:
    assert all(is_permutation(Permutation(size, seed=seed)) for seed in range(5))


@given(st.integers(1, 3000), SEEDS, SEEDS)
def test_every_number_comes_once_for_any_size_and_seed(size: int, seed: int, stream: int) -> None:
    assert is_permutation(Permutation(size, seed=seed, stream=stream))


def test_an_empty_permutation() -> None:
    assert len(Permutation(0, seed=1)[:]) == 0


def test_elements_slices_and_positions_agree() -> None:
    order = Permutation(1000, seed=3)
    whole = order[:]
    assert [order[i] for i in range(1000)] == whole.tolist() == list(order)
    assert (order[17:400:7] == whole[17:400:7]).all()
    assert (order.take(np.array([5, 5, 999])) == whole[[5, 5, 999]]).all()
    assert order[-1] == whole[-1]


def test_the_order_is_the_same_on_every_machine() -> None:
    assert Permutation(10, seed=0)[:].tolist() == [9, 1, 5, 7, 3, 0, 4, 6, 8, 2]
    large = [967520774502, 407000056200, 877593637133, 900575408794]
    assert Permutation(10**12, seed=42, stream=7)[:4].tolist() == large


@pytest.mark.parametrize("size", [2**40, 2**63 - 1, 10**18 + 9])
def test_huge_sizes_need_no_memory(size: int) -> None:
    elements = Permutation(size, seed=1)[:1000]
    assert len(set(elements.tolist())) == 1000
    assert elements.min() >= 0
    assert elements.max() < size
    assert abs(elements.mean() / size - 0.5) < 0.05


@pytest.mark.parametrize("by", ["seed", "stream"])
@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_all_orders_are_equally_likely(size: int, by: str) -> None:
    draws = 200 * len(list(permutations(range(size))))
    orders = (Permutation(size, **{"seed": 1, by: i})[:].tolist() for i in range(draws))
    counts = Counter(map(tuple, orders))
    expected = 200
    observed = [counts[order] for order in permutations(range(size))]
    statistic = sum((count - expected) ** 2 / expected for count in observed)
    assert chi2.sf(statistic, len(observed) - 1) > 1e-4


@pytest.mark.parametrize("size", [8, 30, 64])
def test_neighbours_are_independent(size: int) -> None:
    expected = 10
    draws = expected * size * (size - 1)
    pairs = np.array([Permutation(size, seed=i)[3:5] for i in range(draws)])
    counts = np.bincount(pairs[:, 0] * size + pairs[:, 1], minlength=size**2)
    counts = counts.reshape(size, size)[~np.eye(size, dtype=bool)]
    statistic = ((counts - expected) ** 2 / expected).sum()
    assert chi2.sf(statistic, len(counts) - 1) > 1e-4


@pytest.mark.parametrize("setting", ["size", "seed", "stream"])
@pytest.mark.parametrize("value", [-1, 2**64])
def test_settings_out_of_range_are_named(setting: str, value: int) -> None:
    with pytest.raises(ValueError, match=f"{setting} must be from 0 to .*, not {value}"):
        Permutation(**{"size": 5, "seed": 0, setting: value})


def test_positions_out_of_range_are_refused() -> None:
    order = Permutation(5, seed=0)
    with pytest.raises(IndexError):
        order[5]
    with pytest.raises(IndexError):
        order.take(np.array([-1]))
