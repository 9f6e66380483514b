"""The compiled kernels against the reference, on every instruction level."""

from dataclasses import replace
from functools import cache, reduce

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy_reference import reference

from cmow.encoder.composer import Composer
from cmow.encoder.initialization import initial_parts
from cmow.encoder.inputs import ragged
from cmow.encoder.storage import convert

TEXTS = [
    [0],
    [],
    [1, 2],
    [3, 1, 4, 1, 5],
    [0, 0, 0],
    [5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 5, 5],
    [2] * 40,
]


def composed(parts, texts, **options):
    flat, offsets = ragged(texts)
    out = np.empty((len(texts), sum(part.width for part in parts)), np.float32)
    Composer(parts).compose(flat, offsets, out, **options)
    return out


def assert_close(actual, expected):
    scale = np.abs(expected).max(axis=1, keepdims=True) + 1
    np.testing.assert_allclose(actual / scale, expected / scale, atol=3e-6)


@pytest.mark.parametrize("kind", ["product", "reversed", "windows"])
@pytest.mark.parametrize("size", range(2, 65))
@pytest.mark.usefixtures("level")
def test_products_of_every_matrix_size(kind, size):
    parts = initial_parts([(kind, size)], words=6, seed=size, sigma=0.5 / size)
    assert_close(composed(parts, TEXTS, threads=1), reference(parts, TEXTS))


@pytest.mark.parametrize(
    "shape", ["windows(4,decay=0.9)", "mean(sum(5))", "mean(windows(3))", "mean(product(4))"]
)
@pytest.mark.usefixtures("level")
def test_options(shape):
    parts = initial_parts(shape, words=6, sigma=0.1)
    assert_close(composed(parts, TEXTS), reference(parts, TEXTS))


def element_of(part, ids):
    return reduce(part.shape.compose, part.shape.lift(part.rows()[ids]), part.shape.neutral())


@pytest.mark.parametrize("size", [2, 3, 8, 20])
@pytest.mark.usefixtures("level")
def test_elements_are_those_that_rows_compose_to(size):
    shape = f"sum({size})+product({size})+reversed({size})+mean(windows({size},decay=0.3))"
    parts = initial_parts(shape, words=6, sigma=0.3 / size)
    flat, offsets = ragged(TEXTS)
    expected = [
        np.concatenate([element_of(part, np.array(text, int)) for part in parts]) for text in TEXTS
    ]
    out = np.empty((len(TEXTS), len(expected[0])), np.float32)
    assert Composer(parts).elements(flat, offsets, out) == 0
    assert_close(out, np.array(expected))


@pytest.mark.parametrize("size", [*range(1, 40), 64, 100, 400, 784])
@pytest.mark.usefixtures("level")
def test_sums_of_every_kind_of_size(size):
    parts = initial_parts([("sum", size)], words=6, seed=size)
    assert_close(composed(parts, TEXTS, threads=1), reference(parts, TEXTS))


@pytest.mark.parametrize("storage", ["float16", "int8", "int4"])
@pytest.mark.parametrize("size", [2, 3, 8, 19, 20, 28, 33])
@pytest.mark.usefixtures("level")
def test_stored_tables_compose_as_their_rows_do(storage, size):
    shape = [("sum", size), ("product", size), ("reversed", size), ("windows", size)]
    parts = [convert(part, storage) for part in initial_parts(shape, words=6, sigma=0.5 / size)]
    assert_close(composed(parts, TEXTS), reference(parts, TEXTS))


@pytest.mark.usefixtures("level")
def test_float16_rows_of_every_magnitude():
    numbers = np.array([0, -0.0, 1, -1.5, 6e-8, 5.96e-5, 6.1e-5, 65504, -65504, 0.333], np.float16)
    (part,) = initial_parts("sum(10)", words=1)
    part = convert(part, "float16")
    part = replace(part, table=numbers[None])
    np.testing.assert_array_equal(composed([part], [[0]])[0], numbers.astype(np.float32))


@pytest.mark.parametrize("normalize", ["all", "parts"])
@pytest.mark.usefixtures("level")
def test_normalisation(normalize):
    parts = initial_parts("sum(5)+product(4)+sum(3)", words=6, seed=1, sigma=0.1)
    expected = reference(parts, TEXTS)
    widths = [part.width for part in parts] if normalize == "parts" else [expected.shape[1]]
    for columns in np.split(np.arange(expected.shape[1]), np.cumsum(widths)[:-1]):
        norms = np.linalg.norm(expected[:, columns], axis=1, keepdims=True)
        expected[:, columns] /= np.where(norms > 0, norms, 1)
    np.testing.assert_allclose(composed(parts, TEXTS, normalize=normalize), expected, atol=1e-6)


LONG = np.random.default_rng(0).integers(0, 50, 100_000)


def long_product(matrices):
    product = np.eye(5)
    for i in LONG:
        product = matrices[i] @ product
        product /= np.abs(product).max()
    return product


def long_reversed(matrices):
    product = np.eye(5)
    for i in LONG:
        product = product @ matrices[i]
        product /= np.abs(product).max()
    return product


def long_windows(matrices):
    suffixes, total, one = np.zeros((5, 5)), np.zeros((5, 5)), 1.0
    for i in LONG:
        suffixes = matrices[i] @ (0.5 * suffixes + one * np.eye(5))
        total = total + suffixes
        largest = max(np.abs(total).max(), np.abs(suffixes).max())
        if largest > 1e100:
            suffixes, total, one = suffixes / largest, total / largest, one / largest
    return total


@cache
def long_case(composed_of, sigma, initialization):
    """A part, and the direction of what a very long text composes to."""
    kind = composed_of.__name__.removeprefix("long_")
    (part,) = initial_parts(
        f"{kind}(5)", words=50, seed=2, sigma=sigma, initialization=initialization
    )
    composed = composed_of(part.rows().astype(np.float64).reshape(-1, 5, 5))
    return part, composed.ravel() / np.linalg.norm(composed)


@pytest.mark.parametrize("composed_of", [long_product, long_reversed, long_windows])
@pytest.mark.parametrize("sigma", [0.02, 0.5, 1e6, 1e-3])
@pytest.mark.parametrize("initialization", ["identity", "normal"])
@pytest.mark.usefixtures("level")
def test_long_texts_stay_finite_and_keep_their_direction(composed_of, sigma, initialization):
    part, direction = long_case(composed_of, sigma, initialization)
    assert np.isfinite(composed([part], [LONG])).all()
    rounding = 1e-4 if composed_of is long_product else 2e-4
    cosine = composed([part], [LONG], normalize="all")[0] @ direction
    assert cosine == pytest.approx(1, abs=rounding)


@pytest.mark.usefixtures("level")
def test_magnitudes_at_the_edge_of_float32_neither_overflow_nor_vanish():
    (part,) = initial_parts("product(3)", words=2)
    table = np.stack([np.eye(3).ravel() * 2.0**59, np.eye(3).ravel() * 2.0**-59])
    part = replace(part, table=table.astype(np.float32))
    texts = [[0, 1] * 100, [0] * 50 + [1] * 50, [1] * 50 + [0] * 50, [0, 0, 1], [1, 1, 0]]
    powers = np.array([0, 0, 0, 59, -59])
    expected = np.eye(3).ravel() * 2.0 ** powers[:, None]
    np.testing.assert_array_equal(composed([part], texts), expected)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    texts=st.lists(st.lists(st.integers(0, 5), max_size=12), max_size=30),
    threads=st.integers(1, 3),
    seed=st.integers(0, 9),
)
def test_an_embedding_depends_on_nothing_but_its_text(texts, threads, seed):
    parts = initial_parts("sum(9)+product(4)", words=6, sigma=0.1)
    order = np.random.default_rng(seed).permutation(len(texts))
    together = composed(parts, texts, threads=1)
    shuffled = composed(parts, [texts[i] for i in order], threads=threads)
    np.testing.assert_array_equal(shuffled, together[order])
    for text, embedding in zip(texts, together, strict=True):
        np.testing.assert_array_equal(composed(parts, [text])[0], embedding)


def test_many_texts_give_the_same_bits_on_any_number_of_threads():
    parts = initial_parts("hybrid-800", words=100, sigma=0.1)
    generator = np.random.default_rng(0)
    texts = [generator.integers(0, 100, generator.integers(0, 30)) for _ in range(3000)]
    one = composed(parts, texts, threads=1, normalize="parts")
    for threads in (2, 5):
        np.testing.assert_array_equal(
            composed(parts, texts, threads=threads, normalize="parts"), one
        )


def test_saturation_is_counted_and_finite():
    (part,) = initial_parts("product(2)", words=1)
    part = replace(part, table=np.full((1, 4), 1000, np.float32))
    flat, offsets = ragged([[0] * 2, [0] * 100])
    for dtype, saturated in [(np.float32, 1), (np.float16, 2)]:
        out = np.empty((2, 4), dtype)
        assert Composer([part]).compose(flat, offsets, out) == saturated
        assert np.isfinite(out).all()
        assert (out[1] == np.finfo(dtype).max).all()
