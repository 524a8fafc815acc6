"""Finds where one more camera would help most: it tries places around the table by the geometry of legibility."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.pose import Pose
from calibration.table import TableSetup
from vision.assessment.legibility import Eye, played_boards, seen_on

AZIMUTHS = 16
ELEVATIONS_DEG = (55.0, 65.0)
"""Lower, towers hide too much; higher, levels lie too close."""
BORDER = 0.04
"""Share of the picture left free around the frame."""
_NEAREST_MM, _FARTHEST_MM = 150.0, 5000.0


@dataclass(frozen=True, slots=True)
class Vantage:
    """A place for one more camera that looks at the board's middle, its lens being that of a camera there is.

    azimuth_deg: direction from the middle, counter-clockwise from x (to the right); elevation_deg above the board;
    distance_mm from the middle. before, after: fields hidden in a usual position without and with it.
    """

    azimuth_deg: float
    elevation_deg: float
    distance_mm: float
    before: float
    after: float


def best_vantage(eyes: Sequence[Eye], table: TableSetup, setup: NDArray[np.integer]) -> Vantage | None:
    """Return the place from which one more camera leaves the fewest fields hidden; ``None`` without any camera.

    The new camera has the lens of the first one, and stands where the whole frame just fits its picture.
    """
    if not eyes:
        return None
    boards = played_boards(setup)[::2]
    seen = np.zeros((len(boards), table.rows, table.columns), np.bool_)
    for eye in eyes:
        seen = seen_on(eye, boards, seen, table, setup)
    before = float((~seen).mean(axis=0).sum())
    found = []
    for elevation in ELEVATIONS_DEG:
        for number in range(AZIMUTHS):
            azimuth = 360.0 * number / AZIMUTHS
            tried = _standing(eyes[0].lens, table, azimuth, elevation)
            if tried is not None:
                also = seen_on(tried, boards, seen, table, setup)
                distance = float(np.linalg.norm(tried.pose.centre_mm))
                found.append(Vantage(azimuth, elevation, distance, before, float((~also).mean(axis=0).sum())))
    return min(found, key=lambda place: place.after, default=None)


def looking_at_the_middle(azimuth_deg: float, elevation_deg: float, distance_mm: float) -> Pose:
    """Return the pose of an upright camera that looks at the board's middle from a direction and distance."""
    azimuth, elevation = np.radians([azimuth_deg, elevation_deg])
    flat = np.cos(elevation)
    centre = distance_mm * np.array([flat * np.cos(azimuth), flat * np.sin(azimuth), np.sin(elevation)])
    ahead = -centre / distance_mm
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    return Pose(rotation, -rotation @ centre, 0, 0.0)


def _standing(lens: Lens, table: TableSetup, azimuth_deg: float, elevation_deg: float) -> Eye | None:
    """Return the nearest camera in a direction whose picture holds the whole frame; ``None`` when none does."""
    points = table.around_mm
    border = BORDER * np.array(lens.size)
    # The lens is used without its distortion, which is meaningless far outside the picture.
    straight = Lens(lens.size, lens.matrix, np.zeros(5), lens.rms_px)

    def fits(distance_mm: float) -> bool:
        places = looking_at_the_middle(azimuth_deg, elevation_deg, distance_mm).project(points, straight)
        return bool(((places >= border) & (places <= np.array(lens.size) - 1 - border)).all())

    near, far = _NEAREST_MM, _FARTHEST_MM
    if not fits(far):
        return None
    while far - near > 5.0:
        middle = (near + far) / 2
        near, far = (near, middle) if fits(middle) else (middle, far)
    return Eye(lens, looking_at_the_middle(azimuth_deg, elevation_deg, far))
