import warnings

import numpy as np

from cmow.evaluation.product import product


def test_the_flag_of_an_invalid_operation_gives_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        outcome = product(np.array([[np.inf, 1]], np.float32), np.array([[0], [1]], np.float32))
    assert np.isnan(outcome).all()
