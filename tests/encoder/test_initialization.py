from dataclasses import replace

import numpy as np
import pytest

from cmow.encoder.composer import Composer
from cmow.encoder.initialization import initial_parts
from cmow.errors import ConfigError

LENGTH, SAMPLES = 10, 4000


def matrices(initialization="identity", size=6, sigma=0.1):
    (part,) = initial_parts(
        [("product", size)],
        words=LENGTH * SAMPLES,
        initialization=initialization,
        sigma=sigma,
    )
    return part


def mean_deviates(table, size):
    """Is the mean product of ten rows further from the identity than chance allows?"""
    part = replace(matrices(size=size), table=table)
    offsets = np.arange(0, len(table) + 1, LENGTH)
    products = np.empty((SAMPLES, size**2), np.float32)
    Composer([part]).compose(np.arange(len(table), dtype=np.int32), offsets, products)
    errors = products.std(axis=0, dtype=np.float64) / np.sqrt(SAMPLES)
    deviations = (products.mean(axis=0, dtype=np.float64) - np.eye(size).ravel()) / errors
    # 36 numbers that are nearly standard normal: one beyond 4.5 has a chance of 0.02 %.
    return np.abs(deviations).max() > 4.5


def test_the_expected_product_of_initial_matrices_is_the_identity():
    assert not mean_deviates(matrices().table, 6)


@pytest.mark.parametrize("bias", [0.99, 1.01])
def test_the_statistical_test_can_fail(bias):
    assert mean_deviates(matrices().table * np.float32(bias), 6)


def test_only_the_identity_keeps_magnitudes():
    def mean_magnitude(initialization):
        parts = initial_parts("cmow-400", words=1000, initialization=initialization, sigma=0.1)
        out = np.empty((100, 400), np.float32)
        Composer(parts).compose(np.arange(1000, dtype=np.int32), np.arange(0, 1001, 10), out)
        return np.abs(out).mean()

    assert 0.01 < mean_magnitude("identity") < 1
    assert mean_magnitude("normal") < 1e-3
    assert mean_magnitude("glorot") < 1e-5


@pytest.mark.parametrize(
    ("initialization", "mean", "deviation"),
    [("identity", 1 / 6, 0.1), ("normal", 0, 0.1), ("glorot", 0, 1 / 6)],
)
def test_moments(initialization, mean, deviation):
    table = matrices(initialization).table
    assert table.mean() == pytest.approx(mean, abs=1e-3)
    around = np.eye(6).ravel() if initialization == "identity" else 0
    assert (table - around).std() == pytest.approx(deviation, rel=1e-2)


def test_sums_are_normal_whatever_the_products_are():
    tables = [
        initial_parts("sum(8)", words=5000, initialization=name, sigma=0.2)[0].table
        for name in ("identity", "glorot")
    ]
    np.testing.assert_array_equal(*tables)
    assert tables[0].std() == pytest.approx(0.2, rel=0.02)


def test_the_seed_decides_and_more_words_leave_the_first_as_they_are():
    def tables(words, seed):
        return [part.table for part in initial_parts("hybrid-800", words=words, seed=seed)]

    for few, many in zip(tables(5, 1), tables(9, 1), strict=True):
        np.testing.assert_array_equal(few, many[:5])
    for one, other in zip(tables(5, 1), tables(5, 2), strict=True):
        assert not np.array_equal(one, other)
    cbow, cmow = tables(5, 1)
    assert not np.allclose(cbow, cmow - np.eye(20).ravel())


@pytest.mark.parametrize("options", [{"initialization": "zero"}, {"sigma": -1}, {"seed": -1}])
def test_wrong_settings_are_refused(options):
    with pytest.raises(ConfigError, match=str(next(iter(options.values())))):
        initial_parts("sum(2)", words=1, **options)
