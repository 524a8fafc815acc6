"""The virtual cameras: how their lenses draw, and where they stand around a table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens, project
from calibration.pose import Pose
from calibration.table import TableSetup
from referee.values.kit import Kit
from referee.virtual.touching import virtual_kind

SIZE = (1280, 960)
CAMERAS = ("left", "right")
PHONE = "phone"
"""The camera that is held in a hand, where a virtual table has one."""
_FILLS = 0.86
"""Share of the picture that the table's frame fills."""
_MATRICES = {"left": (1560.0, 645.5, 475.5), "right": (1480.0, 634.5, 486.5), PHONE: (1060.0, 642.0, 477.0)}
_TERMS = {
    "left": (-0.16, 0.05, 0.001, -0.0005, 0.0),
    "right": (-0.12, 0.03, -0.0008, 0.0006, 0.0),
    PHONE: (0.08, -0.12, 0.0004, 0.0005, 0.0),
}
_BUMP_DEG, _BUMP_MM = 0.9, 6.0


def lens_of(camera: str) -> Lens:
    """Return the lens of a virtual camera; it is known exactly, since the camera draws by it."""
    focal, x, y = _MATRICES[camera]
    return Lens(SIZE, np.array([[focal, 0, x], [0, focal, y], [0, 0, 1]]), np.array(_TERMS[camera]), 0.05)


def pose_of(camera: str, table: TableSetup, kit: Kit, bumps: int = 0, held: tuple[float, ...] | None = None) -> Pose:
    """Return a pose from which a virtual camera sees all of the frame, or of a bare board. bumps: how often pushed.

    held: where one in a hand is, as ``TableScene`` has it; from near it may see less.
    """
    if held is not None and len(held) == 5:  # a place, and what it looks at
        return Pose(*_looking(np.array(held[:3]), np.array([*held[3:], 0.0])), len(table.markers), 0.0)
    kind = virtual_kind(kit)
    azimuth, elevation = np.radians(held or kind.PLACES[camera])
    towards = np.array([np.cos(elevation) * np.cos(azimuth), np.cos(elevation) * np.sin(azimuth), np.sin(elevation)])
    corners = table.around_mm
    aim = np.array([0.0, 0.0, kind.TOP_MM * 0.35])
    points = np.concatenate([corners, corners * (0.62, 0.62, 0.0) + (0.0, 0.0, kind.TOP_MM)])
    lens, far = lens_of(camera), 400.0
    while far < 4000.0:
        rotation, translation = _looking(aim + towards * far, aim)
        places = project(points, rotation, translation, lens)
        share = np.abs(places / np.array(SIZE) - 0.5).max() * 2
        if share < _FILLS:
            break
        far *= 1.02
    rotation, translation = _looking(aim + towards * far, aim)
    for number in range(bumps):
        rng = np.random.default_rng([number, len(camera)])
        turn = np.radians(rng.choice([-1, 1], 3) * rng.uniform(0.5, 1.0, 3) * _BUMP_DEG)
        rotation = _turned(*turn) @ rotation
        translation = _turned(*turn) @ translation + rng.uniform(-1, 1, 3) * _BUMP_MM
    return Pose(rotation, translation, len(table.markers), 0.0)


def _looking(eye: NDArray[np.float64], aim: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    ahead = (aim - eye) / np.linalg.norm(aim - eye)
    right = np.cross(ahead, (0.0, 0.0, 1.0))
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(ahead, right), ahead])
    return rotation, -rotation @ eye


def _turned(x: float, y: float, z: float) -> NDArray[np.float64]:
    cx, sx, cy, sy, cz, sz = np.cos(x), np.sin(x), np.cos(y), np.sin(y), np.cos(z), np.sin(z)
    about_x = np.array([[1, 0, 0], [0, cx, -sx], [0, sx, cx]])
    about_y = np.array([[cy, 0, sy], [0, 1, 0], [-sy, 0, cy]])
    about_z = np.array([[cz, -sz, 0], [sz, cz, 0], [0, 0, 1]])
    turned: NDArray[np.float64] = about_z @ about_y @ about_x
    return turned
