"""Draw what a camera with a known lens sees of a printed frame."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.framelens import FrameSight
from calibration.lens import Lens, project
from calibration.table import TableSetup, load_table
from referee.demo.recording import BUNDLED

TABLE = load_table(BUNDLED)


SIZE = (1600, 1200)


def lens(focal: float = 1450.0, cx: float = 806.0, cy: float = 594.0, k1: float = -0.08) -> Lens:
    matrix = np.array([[focal, 0, cx], [0, focal, cy], [0, 0, 1]])
    return Lens(SIZE, matrix, np.array([k1, 0, 0, 0, 0]), 0.0)


def looking(tilt_deg: float, around_deg: float, far_mm: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return rotation and translation of a camera that looks at the board's middle. tilt_deg: from straight above."""
    tilt, around = np.radians(tilt_deg), np.radians(around_deg)
    where = far_mm * np.array([np.sin(tilt) * np.sin(around), -np.sin(tilt) * np.cos(around), np.cos(tilt)])
    ahead = -where / np.linalg.norm(where)
    right = np.cross(ahead, [0.0, 0.0, 1.0]) if tilt_deg > 1 else np.array([1.0, 0.0, 0.0])
    right = right / np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    return rotation, -rotation @ where


def sight(
    name: str, true: Lens, place: tuple[float, float, float], seed: int, table: TableSetup = TABLE
) -> FrameSight:
    rotation, shift = looking(*place)
    noise = np.random.default_rng(seed)
    seen = {
        number: project(at, rotation, shift, true) + noise.normal(0, 0.12, (4, 2))
        for number, at in table.markers.items()
    }
    return FrameSight(name, true.size, seen)
