"""Solves robust non-linear least squares by Levenberg and Marquardt, for problems of some hundred unknowns.

SciPy has a better solver; it would be the largest library of all that the referee needs, for this one sum.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

_STEP = 1e-6
"""Share of an unknown's scale by which it is moved to compute derivatives."""
_FIRST_DAMPING = 1e-3
_MOST_DAMPING = 1e12


@dataclass(frozen=True, eq=False)
class Solution:
    """unknowns: (n,) where the cost is least; cost: the sum of the robust squares; rounds: how many it took."""

    unknowns: NDArray[np.float64]
    cost: float
    rounds: int


def least_squares(
    residuals: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    start: NDArray[np.float64],
    scales: NDArray[np.float64],
    groups: Sequence[tuple[NDArray[np.intp], NDArray[np.intp]]],
    *,
    most_rounds: int = 60,
    tolerance: float = 1e-8,
) -> Solution:
    """Find the (n,) unknowns that make ``sum(2 * (sqrt(1 + r**2) - 1))`` least, r the (m,) residuals.

    scales: (n,) steps that change about as much as each other. groups: unknowns of which no two touch one residual;
    with each, for every residual, the unknown that moves it (-1 for none). So one evaluation serves a whole group.
    Stops when a round gains less than ``tolerance`` of the cost. A start whose residuals are not finite has infinite
    cost.

    Source: Madsen, Nielsen and Tingleff, Methods for Non-linear Least Squares Problems, 2004 (damping);
    Triggs and others, Bundle Adjustment - A Modern Synthesis, 2000 (the loss as weights).
    """
    at = np.asarray(start, np.float64)
    seen = residuals(at)
    cost, damping, growth = _cost(seen), _FIRST_DAMPING, 2.0
    for done in range(most_rounds):
        if not np.isfinite(cost):
            return Solution(at, float("inf"), done)
        curvature, downhill = _normal(residuals, at, seen, scales, groups)
        while True:
            damped = curvature + np.diag(damping * np.maximum(np.diag(curvature), 1e-12))
            step = np.linalg.solve(damped, downhill)
            tried = at + step * scales
            then = residuals(tried)
            gained = cost - _cost(then)
            if gained > 0:
                break
            damping, growth = damping * growth, growth * 2
            if damping > _MOST_DAMPING:
                return Solution(at, cost, done + 1)
        foretold = 0.5 * float(step @ (2 * downhill - curvature @ step))
        damping *= max(1 / 3, 1 - (2 * gained / foretold - 1) ** 3) if foretold > 0 else 1.0
        growth = 2.0
        at, seen, cost = tried, then, cost - gained
        if gained <= tolerance * cost:
            return Solution(at, cost, done + 1)
    return Solution(at, cost, most_rounds)


def _cost(seen: NDArray[np.float64]) -> float:
    return float(np.sum(np.sqrt(1 + seen * seen) - 1)) if np.isfinite(seen).all() else float("inf")


def _normal(
    residuals: Callable[[NDArray[np.float64]], NDArray[np.float64]],
    at: NDArray[np.float64],
    seen: NDArray[np.float64],
    scales: NDArray[np.float64],
    groups: Sequence[tuple[NDArray[np.intp], NDArray[np.intp]]],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the weighted normal equations in scaled unknowns: (n, n) curvature and (n,) direction downhill."""
    jacobian = np.zeros((len(seen), len(at)))
    rows = np.arange(len(seen))
    for members, moved_by in groups:
        aside = at.copy()
        aside[members] += _STEP * scales[members]
        touched = moved_by >= 0
        jacobian[rows[touched], moved_by[touched]] = (residuals(aside) - seen)[touched] / _STEP
    weights = 1 / np.sqrt(1 + seen * seen)
    weighted = jacobian * weights[:, None]
    return weighted.T @ jacobian, -(weighted.T @ seen)
