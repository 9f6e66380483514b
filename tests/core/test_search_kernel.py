"""Exact search against NumPy: every storage, every instruction level, any number of threads."""

import numpy as np
import pytest

from cmow import _core
from cmow.numbers import as_bytes


def stored(rows, storage):
    """Rows as they are stored, their scales, and what they mean."""
    if storage == "float32":
        return rows, None, rows
    if storage == "float16":
        half = rows.astype(np.float16)
        return half.view(np.uint16), None, half.astype(np.float32)
    scales = (np.abs(rows).max(1) / 127).astype(np.float32)
    numbers = np.rint(rows / scales[:, None]).astype(np.int8)
    return numbers, scales, numbers * scales[:, None]


def search(blocks, k, *, alive=None, threads=1, smaller=None):
    count = len(blocks[0][3])
    scores, rows = np.empty((count, k), np.float32), np.empty((count, k), np.int64)
    _core.search(blocks, alive, scores, rows, threads, smaller)
    return scores, rows


def random(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("storage", ["float32", "float16", "int8"])
@pytest.mark.parametrize(
    ("width", "queries"), [(1, 1), (3, 2), (16, 5), (20, 6), (33, 7), (784, 13), (5, 300)]
)
@pytest.mark.usefixtures("level")
def test_the_best_rows_are_found(storage, width, queries):
    rows, wanted = random(301, width), random(queries, width, seed=1)
    numbers, scales, meant = stored(rows, storage)
    scores, found = search([(numbers, scales, None, wanted)], 9)
    expected = wanted.astype(np.float64) @ meant.T.astype(np.float64)
    best = -np.sort(-expected, axis=1)[:, :9]
    np.testing.assert_allclose(scores, best, rtol=1e-4, atol=1e-4)
    np.testing.assert_allclose(np.take_along_axis(expected, found, 1), best, rtol=1e-4, atol=1e-4)
    assert all(len(set(row)) == 9 for row in found.tolist())


@pytest.mark.usefixtures("level")
def test_blocks_are_weighted_and_added():
    bag, order = random(500, 7), random(500, 19, seed=1)
    weights = np.abs(random(2, 500, seed=2))
    queries = random(4, 7, seed=3), random(4, 19, seed=4)
    numbers, scales, meant = stored(order, "int8")
    blocks = [(bag, None, weights[0], queries[0]), (numbers, scales, weights[1], queries[1])]
    expected = weights[0] * (queries[0] @ bag.T) + weights[1] * (queries[1] @ meant.T)
    scores, rows = search(blocks, 500)
    np.testing.assert_allclose(np.take_along_axis(expected, rows, 1), scores, atol=1e-4)
    np.testing.assert_allclose(scores, -np.sort(-expected, axis=1), atol=1e-4)


@pytest.mark.parametrize("storage", ["float32", "float16", "int8"])
def test_neither_threads_nor_other_queries_change_a_bit(storage):
    numbers, scales, _ = stored(random(20_000, 37), storage)
    queries = random(11, 37, seed=1)
    scores, rows = search([(numbers, scales, None, queries)], 20)
    for threads in (2, 5):
        again = search([(numbers, scales, None, queries)], 20, threads=threads)
        np.testing.assert_array_equal(again[0], scores)
        np.testing.assert_array_equal(again[1], rows)
    for query in range(11):
        alone = search([(numbers, scales, None, queries[query : query + 1])], 20)
        np.testing.assert_array_equal(alone[0][0], scores[query])
        np.testing.assert_array_equal(alone[1][0], rows[query])


@pytest.mark.parametrize("storage", ["float32", "float16", "int8"])
@pytest.mark.parametrize("width", [3, 64, 129])
@pytest.mark.usefixtures("level")
def test_sorting_rows_out_by_bytes_changes_no_bit(storage, width):
    # Rows of all sizes, equal ones, zeros, and what no product can be made of; two blocks.
    rows = random(1100, width) * np.float32(10) ** random(1100, 1, seed=2)
    rows[7::50] = rows[3]
    if storage != "int8":
        rows[11::90] = 0
        rows[13::200] = np.nan
        rows[17::300, 0] = np.inf
    numbers, scales, _ = stored(np.where(np.abs(rows) < 6e4, rows, np.sign(rows)), storage)
    if storage == "int8":
        numbers[5::70] = -128
        numbers[11::90] = 0
    weights = random(1100, seed=3)
    weights[::40] = 0
    queries = random(24, width, seed=4)
    queries[5] = 0
    queries[6, 0] = np.inf
    queries[7] *= 1e-20
    alive = (random(1100, seed=5) > -1).astype(np.uint8)
    other = random(1100, 5)
    for blocks in (
        [(numbers, scales, None, queries)],
        [(numbers, scales, weights, queries), (other, None, None, random(24, 5, seed=6))],
    ):
        scores, found = search(blocks, 12, alive=alive)
        if storage != "int8":
            floats = numbers.view(np.float16) if storage == "float16" else numbers
            with np.errstate(invalid="ignore"):
                smaller = [as_bytes(floats), as_bytes(other)][: len(blocks)]
            for count in (1, 2, 24):
                some = [(*block[:3], block[3][:count]) for block in blocks]
                again = search(some, 12, alive=alive, smaller=smaller)
                np.testing.assert_array_equal(again[0], scores[:count])
                np.testing.assert_array_equal(again[1], found[:count])
        for query in range(24):
            alone = [(*block[:3], block[3][query : query + 1]) for block in blocks]
            again = search(alone, 12, alive=alive)
            np.testing.assert_array_equal(again[0][0], scores[query])
            np.testing.assert_array_equal(again[1][0], found[query])


@pytest.mark.parametrize("threads", [1, 4])
def test_of_equal_rows_the_first_is_found_first(threads):
    rows = np.tile(np.eye(10, dtype=np.float32), (2000, 1))
    _, found = search([(rows, None, None, rows[3:4])], 50, threads=threads)
    np.testing.assert_array_equal(found[0], 3 + 10 * np.arange(50))


def test_only_rows_that_are_alive_are_found_and_missing_ones_are_marked():
    rows, alive = random(30, 4), np.zeros(30, np.uint8)
    alive[[5, 17]] = 1
    scores, found = search([(rows, None, None, rows[:2])], 4, alive=alive)
    assert [set(row) for row in found.tolist()] == [{5, 17, -1}] * 2
    assert (found[:, 2:] == -1).all()
    assert (scores[:, 2:] == 0).all()
    nothing = search([(rows[:0], None, None, rows[:2])], 3)
    assert (nothing[1] == -1).all()


def test_nan_is_no_score():
    rows = random(300, 4)
    rows[::2] = np.nan
    _, found = search([(rows, None, None, np.ones((1, 4), np.float32))], 150)
    assert sorted(found[0].tolist()) == list(range(1, 300, 2))


@pytest.mark.parametrize("storage", ["float32", "float16", "int8"])
@pytest.mark.parametrize("threads", [1, 3])
def test_clusters_are_those_of_all_pairs(storage, threads):
    generator = np.random.default_rng(0)
    centres = generator.normal(size=(60, 24))
    rows = centres[generator.integers(0, 60, 500)] + generator.normal(0, 0.25, (500, 24))
    rows = (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float32)
    numbers, scales, meant = stored(rows, storage)
    clusters = _core.Clusters(500)
    for first in range(0, 500, 70):
        some = None if scales is None else scales[first:]
        queries = np.ascontiguousarray(meant[first : first + 70])
        block = (numbers[first:], some, None, queries)
        clusters.link(block, block, first, 0.93, 0, threads)
    labels = np.empty(500, np.int64)
    clusters.labels(labels)
    alike = meant.astype(np.float64) @ meant.T.astype(np.float64) >= 0.93
    reached = np.linalg.matrix_power(alike.astype(float), 64) > 0
    expected = reached.argmax(1)
    assert 10 < len(set(expected)) < 400
    np.testing.assert_array_equal(labels, expected)


def test_arrays_that_do_not_fit_are_refused():
    rows, queries = random(30, 4), random(2, 4)
    scores, found = np.empty((2, 3), np.float32), np.empty((2, 3), np.int64)
    for blocks, alive in [
        ([], None),
        ([(rows, None, None, random(2, 5))], None),
        ([(rows, None, None, random(3, 4))], None),
        ([(rows, None, np.ones(29, np.float32), queries)], None),
        ([(rows, None, None, queries), (rows[1:], None, None, queries)], None),
        ([(rows.astype(np.int8), None, None, queries)], None),
        ([(rows, None, None, queries)], np.ones(31, np.uint8)),
    ]:
        with pytest.raises(ValueError, match=r"\w+"):
            _core.search(blocks, alive, scores, found, 1)
    with pytest.raises(TypeError, match="float32, float16 or int8"):
        _core.search(
            [(np.zeros((3, 2), np.uint8), np.ones(3, np.float32), None, queries)],
            None, scores, found, 1,
        )  # fmt: skip
    given = as_bytes(rows)
    for smaller in ([], [given, given], [(given[0][1:], *given[1:])], [(*given[:2], given[2][1:])]):
        with pytest.raises(ValueError, match="bytes"):
            search([(rows, None, None, queries)], 3, smaller=smaller)
    block, sketches = (rows, None, None, queries), (rows[:, :2].copy(), None, None, queries[:, :2])
    for first_row in (1, -1, 2**62):
        with pytest.raises(ValueError, match="beyond the clusters"):
            _core.Clusters(30).link(block, sketches, first_row, 0.9, 0, 1)
    for other in [
        (rows[:29], None, None, queries),
        (rows, None, None, queries[:1]),
        (rows, None, np.ones(30, np.float32), queries),
        (rows, None, None, random(2, 5)),
    ]:
        with pytest.raises(ValueError, match=r"\w+"):
            _core.Clusters(30).link(block, other, 0, 0.9, 0, 1)
