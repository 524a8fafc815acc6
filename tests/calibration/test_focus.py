"""A focal length that changes between pictures is noticed; one that does not is not blamed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.focus import FocusShift
from calibration.lens import Lens
from calibration.solve import Shot, solve_shots
from calibration.target import TargetView
from tests.calibration.target_scenes import LENS, held, sight

LEANS = (
    (25, 0),
    (-25, 5),
    (0, 25),
    (5, -25),
    (20, 20),
    (-20, 20),
    (20, -20),
    (-20, -15),
    (30, 5),
    (0, 30),
    (-28, 0),
    (3, -28),
)


def shots(factor: list[float], distance: list[float]) -> list[Shot]:
    found = []
    for number, (share, away) in enumerate(zip(factor, distance, strict=True)):
        matrix = LENS.matrix.copy()
        matrix[[0, 1], [0, 1]] *= share
        through = Lens(LENS.size, matrix, LENS.distortion, 0.0)
        at = (260.0 + 20 * (number % 5), 200.0 + 20 * (number % 4))
        seen = sight(*held(at, LEANS[number], away, through), through, noise_px=0.15, seed=number)
        assert isinstance(seen, TargetView)
        found.append(Shot(f"{number:02d}.jpg", seen))
    return found


def shift(factor: list[float], distance: list[float]) -> FocusShift | None:
    return solve_shots(shots(factor, distance), LENS.size, ()).focus


@pytest.mark.long
def test_a_steady_lens_is_not_blamed() -> None:
    for away in (420.0, 500.0):
        assert shift([1.0] * 12, [away] * 12) is None
    assert shift([1.0] * 12, [380.0, 560.0] * 6) is None


def test_a_zoom_on_the_way_is_told_with_its_pictures() -> None:
    found = shift([1.0] * 8 + [1.02] * 4, [420.0] * 12)
    assert found is not None
    assert found.by == "time"
    assert found.pictures == ("08.jpg", "09.jpg", "10.jpg", "11.jpg")
    assert found.share == pytest.approx(0.02, abs=0.006)


def test_autofocus_goes_with_distance() -> None:
    near = [number % 2 == 0 for number in range(12)]
    found = shift([1.02 if n else 1.0 for n in near], [380.0 if n else 560.0 for n in near])
    assert found is not None
    assert found.by == "distance"
    assert abs(found.share) == pytest.approx(0.02, abs=0.008)


@pytest.mark.long
def test_deviations_hold_what_they_promise() -> None:
    """Over many noisy tries the error of the focal length is about as large as its standard deviation says."""
    ratios = []
    for seed in range(8):
        taken = shots([1.0] * 12, [420.0] * 12)
        rng = np.random.default_rng(100 + seed)
        noisy = [
            Shot(
                shot.name,
                replace(
                    shot.sight,
                    seen_px=(shot.sight.seen_px + rng.normal(0, 0.3, shot.sight.seen_px.shape)).astype(np.float32),
                ),
            )
            for shot in taken
        ]
        solution = solve_shots(noisy, LENS.size, ())
        ratios.append((solution.lens.matrix[0, 0] - 700) / solution.deviations["fx"])
    assert 0.4 < float(np.sqrt(np.mean(np.square(ratios)))) < 2.0
    assert "k3" not in solution.deviations
