import numpy as np
import pytest

from cmow.evaluation.quasi_newton import minimise


def quadratics(functions=6, size=9, seed=0):
    """Quadratic functions of (size, 2) variables, their solutions and a diagonal of curvatures."""
    random = np.random.default_rng(seed)
    roots = random.standard_normal((functions, 2 * size, 2 * size))
    hessians = roots @ roots.transpose(0, 2, 1) / size + 0.1 * np.eye(2 * size)
    solutions = random.standard_normal((functions, 2 * size))

    def gradient(point, chosen):
        deviations = point.reshape(2 * size, -1).T - solutions[chosen]
        slopes = np.einsum("fij,fj->if", hessians[chosen], deviations)
        return slopes.reshape(point.shape).astype(np.float32)

    diagonals = np.stack([np.diag(h) for h in hessians], axis=1).reshape(size, 2, functions)
    return gradient, solutions.T.reshape(size, 2, functions), diagonals.astype(np.float32)


def test_finds_every_minimum():
    gradient, solutions, diagonals = quadratics()
    start = np.zeros(solutions.shape, np.float32)
    found = minimise(gradient, start, 1 / diagonals, tolerance=1e-5, passes=500)
    assert found.converged.all()
    np.testing.assert_allclose(found.point, solutions, atol=1e-3)
    assert not start.any()


def test_functions_that_have_converged_leave_the_batch():
    gradient, solutions, diagonals = quadratics()
    sizes = []

    def counted(point, chosen):
        sizes.append(len(chosen))
        return gradient(point, chosen)

    start = solutions.astype(np.float32)
    start[..., 0] = 0  # only the first has any way to go
    found = minimise(counted, start, 1 / diagonals, tolerance=1e-4, passes=500)
    assert found.converged.all()
    assert sizes[0] == 6
    assert set(sizes[1:]) == {1}


def test_too_few_passes_are_told():
    gradient, solutions, diagonals = quadratics()
    calls = []

    def counted(point, chosen):
        calls.append(len(chosen))
        return gradient(point, chosen)

    start = np.zeros(solutions.shape, np.float32)
    found = minimise(counted, start, 1 / diagonals, tolerance=1e-6, passes=3)
    assert not found.converged.any()
    assert len(calls) == 3


@pytest.mark.parametrize("scale", [1e-3, 1e3])
def test_a_wrong_guess_of_the_curvature_costs_passes_only(scale):
    gradient, solutions, diagonals = quadratics()
    start = np.zeros(solutions.shape, np.float32)
    guess = np.float32(scale) / diagonals
    found = minimise(gradient, start, guess, tolerance=1e-5 * scale**0.5, passes=2000)
    np.testing.assert_allclose(found.point, solutions, atol=1e-2)
