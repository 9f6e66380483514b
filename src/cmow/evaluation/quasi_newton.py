"""L-BFGS for many convex functions at once: their variables lie beside each other in one array."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Booleans, Floats

Gradient = Callable[[Floats, NDArray[np.intp]], Floats]

MEMORY = 10  # steps that a direction is made from
OVERSHOOT = 0.5  # a step is too long if the slope behind it is this steep again, upwards


class Minimum(NamedTuple):
    """Where each function is smallest."""

    point: Floats
    converged: Booleans


def minimise(
    gradient: Gradient, start: Floats, inverse_curvature: Floats, *, tolerance: float, passes: int
) -> Minimum:
    """Minimize smooth convex functions, one a slice of the last axis of three.

    The gradient alone steers: the slope at a step's end tells whether it went too far, so no
    function value is ever needed. A function whose step is rejected tries a shorter one in the
    next pass, in which the others move on; functions that have converged leave the batch.

    :param gradient: takes points and the numbers of the functions that they belong to.
    :param inverse_curvature: a diagonal guess at the inverse Hessian, shaped like the points.
    :param tolerance: length of a gradient, in the metric of that guess, at which a function has
        converged: it could fall by about half the square of that.
    :param passes: compute the gradient so often at most.
    """
    everything = np.arange(start.shape[-1])
    point, converged = start.copy(), np.zeros(len(everything), bool)
    search = _Search(gradient, point, inverse_curvature, everything)
    for left in reversed(range(passes)):
        small = search.gradient_norm() <= tolerance
        finished = small.all() or left == 0
        if finished or small.mean() > 0.25:  # a smaller batch is worth its copying
            point[..., search.functions] = search.point
            converged[search.functions] = small
            if finished:
                break
            search.keep(~small)
        search.step()
    return Minimum(point, converged)


class _Search:
    """The functions that have not converged yet, and how far each has come."""

    def __init__(
        self,
        gradient: Gradient,
        point: Floats,
        inverse_curvature: Floats,
        functions: NDArray[np.intp],
    ) -> None:
        self.compute_gradient = gradient
        self.functions = functions
        self.inverse_curvature = inverse_curvature
        self.point = point
        self.gradient = gradient(point, functions)
        self.memory = _Memory(len(functions))
        self.direction = -self.gradient * inverse_curvature
        self.length = np.ones(len(functions), np.float32)

    def step(self) -> None:
        """Try one step for each function and choose the next direction or a shorter step."""
        slope = _dot(self.gradient, self.direction)
        point = self.point + self.length * self.direction
        gradient = self.compute_gradient(point, self.functions)
        slope_behind = _dot(gradient, self.direction)
        accepted = slope_behind <= OVERSHOOT * np.abs(slope)

        step = (point - self.point) * accepted
        change = (gradient - self.gradient) * accepted
        self.memory.remember(step, change, self.inverse_curvature)
        self.point = self.point + step
        self.gradient = self.gradient + change

        newton = -self.memory.apply(self.gradient, self.inverse_curvature)
        self.direction = np.where(accepted, newton, self.direction)
        secant = np.clip(slope / np.where(accepted, -1, slope - slope_behind), 0.1, 0.7)
        self.length = np.where(accepted, 1, self.length * secant).astype(np.float32)

    def gradient_norm(self) -> Floats:
        """The length of each gradient in the metric of the inverse curvature, as last measured."""
        squares = _dot(self.gradient, self.gradient * self.inverse_curvature)
        norms: Floats = np.sqrt(squares * self.memory.scale)
        return norms

    def keep(self, chosen: Booleans) -> None:
        """Go on with the chosen functions only."""
        self.functions = self.functions[chosen]
        self.length = self.length[chosen]
        self.inverse_curvature = self.inverse_curvature[..., chosen]
        self.point, self.gradient = self.point[..., chosen], self.gradient[..., chosen]
        self.direction = self.direction[..., chosen]
        self.memory.keep(chosen)


class _Memory:
    """The latest steps with the gradient's change over each: what is known of the curvature."""

    def __init__(self, functions: int) -> None:
        self.pairs: list[tuple[Floats, Floats, Floats]] = []
        self.scale = np.ones(functions, np.float32)

    def remember(self, step: Floats, change: Floats, inverse_curvature: Floats) -> None:
        """Add a pair; a function that did not move adds zeros, which have no effect."""
        product = _dot(step, change)
        usable = product > 0
        safe = np.where(usable, product, 1)
        newest = product / np.maximum(_dot(change, change * inverse_curvature), 1e-30)
        self.scale = np.where(usable, newest, self.scale).astype(np.float32)
        self.pairs.append((step, change, np.where(usable, 1 / safe, 0).astype(np.float32)))
        del self.pairs[:-MEMORY]

    def apply(self, gradient: Floats, inverse_curvature: Floats) -> Floats:
        """The inverse Hessian as remembered, times the gradient (the two-loop recursion)."""
        result: Floats = gradient.copy()
        shares = []
        for step, change, inverse in reversed(self.pairs):
            shares.append(inverse * _dot(step, result))
            result -= shares[-1] * change
        result *= inverse_curvature
        result *= self.scale
        for (step, change, inverse), share in zip(self.pairs, reversed(shares), strict=True):
            result += (share - inverse * _dot(change, result)) * step
        return result

    def keep(self, chosen: Booleans) -> None:
        """Forget the functions that are not chosen."""
        self.scale = self.scale[chosen]
        self.pairs = [
            (step[..., chosen], change[..., chosen], inverse[chosen])
            for step, change, inverse in self.pairs
        ]


def _dot(left: Floats, right: Floats) -> Floats:
    """The scalar product for each function."""
    product: Floats = np.einsum("rcf,rcf->f", left, right)
    return product
