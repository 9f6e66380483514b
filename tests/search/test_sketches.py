"""Sketches: their products are never less than those of the rows they stand for."""

import numpy as np
import pytest

from cmow.search.sketches import WIDTH, sketch


def units(count, width, *, spread, seed=0):
    """Unit vectors whose numbers shrink from column to column, some of them alike."""
    generator = np.random.default_rng(seed)
    rows = generator.normal(size=(count, width)) * spread ** np.arange(width)
    rows[1::3] = rows[::3][: len(rows[1::3])] + 0.01 * rows[1::3]
    rows[5] = np.eye(width)[-1]  # as far from the main directions as can be
    return (rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype(np.float16)


@pytest.mark.parametrize("width", [3, WIDTH, WIDTH + 1, 500])
@pytest.mark.parametrize("spread", [1, 0.98])
def test_no_product_of_rows_is_above_that_of_their_sketches(width, spread):
    rows = units(700, width, spread=spread)
    numbers, scales, margin = sketch(rows)
    assert numbers.shape == (700, min(width, WIDTH))
    meant = numbers.astype(np.float64) * scales[:, None]
    wide = rows.astype(np.float64)
    assert (meant @ meant.T + margin - wide @ wide.T).min() >= 0
    assert margin < 0.1


def test_rows_of_few_directions_lose_nothing_but_rounding():
    rows = units(600, 300, spread=0.9)
    numbers, scales, margin = sketch(rows)
    meant = numbers.astype(np.float64) * scales[:, None]
    wide = rows.astype(np.float64)
    np.testing.assert_allclose(meant[6:] @ meant[6:].T, wide[6:] @ wide[6:].T, atol=2 * margin)
