"""The solver of the frame's bundle adjustment, on sums whose answers are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.leastsquares import least_squares

Vector = NDArray[np.float64]


def alone(unknowns: int, rows: int) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Put each unknown into a group of its own, which moves every residual."""
    return [(np.array([n]), np.full(rows, n)) for n in range(unknowns)]


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6), st.floats(0.01, 100))
def test_a_line_is_found_from_any_start(seed: int, scale: float) -> None:
    rng = np.random.default_rng(seed)
    true = rng.normal(0, scale, 2)
    x = rng.uniform(-1, 1, 20)

    def residuals(at: Vector) -> Vector:
        return np.asarray((at[0] + at[1] * x - true[0] - true[1] * x) / scale)

    found = least_squares(residuals, rng.normal(0, scale, 2), np.full(2, scale), alone(2, 20))
    assert found.unknowns == pytest.approx(true, abs=1e-3 * scale)


def test_a_bent_valley_is_followed_to_its_end() -> None:
    """Rosenbrock's function: plain Gauss-Newton leaps across it."""

    def residuals(at: Vector) -> Vector:
        return np.array([10 * (at[1] - at[0] ** 2), 1 - at[0]])

    found = least_squares(residuals, np.array([-1.2, 1.0]), np.ones(2), alone(2, 2), most_rounds=200, tolerance=0)
    assert found.unknowns == pytest.approx([1, 1], abs=1e-4)


def test_one_outlier_hardly_moves_the_middle() -> None:
    seen = np.append(np.linspace(-1, 1, 21), 1000.0)

    found = least_squares(lambda at: (at[0] - seen) / 0.1, np.zeros(1), np.ones(1), alone(1, 22))
    assert abs(found.unknowns[0]) < 0.1  # their mean is 45


def test_a_group_of_unknowns_that_do_not_meet_gives_what_each_alone_gives() -> None:
    """Two pictures, each with a place of its own, share one evaluation."""
    seen = np.array([1.0, 1.2, 5.0, 5.4])
    owner = np.array([0, 0, 1, 1])

    def residuals(at: Vector) -> Vector:
        return np.asarray(at[owner] - seen)

    apart = [(np.array([n]), np.where(owner == n, n, -1)) for n in (0, 1)]
    together = [(np.array([0, 1]), owner)]
    one, two = (least_squares(residuals, np.zeros(2), np.ones(2), groups).unknowns for groups in (apart, together))
    assert one == pytest.approx([1.1, 5.2], abs=1e-6)
    assert two == pytest.approx(one)


def test_a_start_that_means_nothing_costs_without_bound() -> None:
    found = least_squares(lambda at: at * np.nan, np.ones(1), np.ones(1), alone(1, 1))
    assert not np.isfinite(found.cost)
