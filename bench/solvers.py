"""Several solvers of the same logistic regressions: what they take, and how far they get."""

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from scipy.optimize import minimize
from scipy.special import logsumexp
from sklearn.linear_model import LogisticRegression

from cmow.evaluation.logistic import fit

Solver = Callable[[np.ndarray, np.ndarray, float], tuple[np.ndarray, np.ndarray]]


def objective(
    features: np.ndarray, labels: np.ndarray, weights: np.ndarray, bias: np.ndarray, penalty: float
) -> float:
    """The mean cross-entropy and the penalty."""
    logits = features.astype(np.float64) @ weights + bias
    losses = logsumexp(logits, axis=1) - logits[np.arange(len(labels)), labels]
    return float(losses.mean() + penalty / 2 * np.square(weights).sum())


def scikit_learn(solver: str) -> Solver:
    """One of scikit-learn's solvers, with its default tolerance."""

    def solve(features: np.ndarray, labels: np.ndarray, penalty: float) -> Any:
        strength = len(labels) * penalty
        model = LogisticRegression(C=1 / strength, solver=solver, max_iter=1000)
        model.fit(features, labels)
        return model.coef_.T, model.intercept_

    return solve


def scipy(features: np.ndarray, labels: np.ndarray, penalty: float) -> Any:
    """SciPy's L-BFGS."""
    size, classes = features.shape[1], labels.max() + 1
    truth = np.eye(classes, dtype=np.float32)[labels]

    def loss_and_gradient(point: np.ndarray) -> tuple[float, np.ndarray]:
        weights = point.astype(np.float32).reshape(size + 1, classes)
        logits = features @ weights[:-1] + weights[-1]
        normaliser = logsumexp(logits, axis=1, keepdims=True)
        errors = (np.exp(logits - normaliser) - truth) / len(labels)
        gradient = np.vstack([features.T @ errors + penalty * weights[:-1], errors.sum(axis=0)])
        loss = (normaliser[:, 0] - logits[truth > 0]).mean()
        loss += penalty / 2 * np.square(weights[:-1]).sum()
        return float(loss), gradient.ravel().astype(np.float64)

    start = np.zeros((size + 1) * classes)
    options = {"maxiter": 1000}
    point = minimize(loss_and_gradient, start, jac=True, method="L-BFGS-B", options=options).x
    return point.reshape(size + 1, classes)[:-1], point.reshape(size + 1, classes)[-1]


def pytorch(features: np.ndarray, labels: np.ndarray, penalty: float) -> Any:
    """PyTorch's L-BFGS."""
    layer = torch.nn.Linear(features.shape[1], int(labels.max()) + 1)
    inputs, targets = torch.from_numpy(features), torch.from_numpy(labels)
    optimizer = torch.optim.LBFGS(
        layer.parameters(), max_iter=1000, tolerance_grad=1e-5, line_search_fn="strong_wolfe"
    )

    def closure() -> torch.Tensor:
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(layer(inputs), targets)
        loss = loss + penalty / 2 * layer.weight.square().sum()
        loss.backward()
        return loss

    optimizer.step(closure)
    return layer.weight.detach().numpy().T, layer.bias.detach().numpy()


SOLVERS = {
    "scikit-learn, lbfgs": scikit_learn("lbfgs"),
    "scikit-learn, newton-cg": scikit_learn("newton-cg"),
    "SciPy, L-BFGS-B": scipy,
    "PyTorch, LBFGS": pytorch,
}


def compare_solvers(
    features: np.ndarray, labels: np.ndarray, penalties: list[float]
) -> dict[str, dict[str, float]]:
    """CPU seconds for all penalties, and by how much the loss is above the best that was found."""

    def together() -> list[Any]:
        everything = np.ones((len(labels), 1), bool)
        found = fit(features, labels, subsets=everything, penalties=penalties)
        return [
            (found.weights[..., 0, number], found.bias[:, 0, number])
            for number in range(len(penalties))
        ]

    def one_by_one(solve: Solver) -> list[Any]:
        return [solve(features, labels, penalty) for penalty in penalties]

    seconds, losses = {}, {}
    ways = {"cmow, all together": together}
    ways |= {name: lambda solve=solve: one_by_one(solve) for name, solve in SOLVERS.items()}
    for name, way in ways.items():
        started = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            solutions = way()
        seconds[name] = time.process_time() - started
        losses[name] = [
            objective(features, labels, *solution, penalty)
            for solution, penalty in zip(solutions, penalties, strict=True)
        ]
    best = np.min(list(losses.values()), axis=0)
    return {
        name: {
            "CPU seconds": seconds[name],
            "times as long": seconds[name] / seconds["cmow, all together"],
            "loss above the best, at most": float(np.max(losses[name] - best)),
        }
        for name in ways
    }
