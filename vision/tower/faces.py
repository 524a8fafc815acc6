"""The squares of a tower that look at a camera: where they are in its picture, and which of them hide which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.view import View
from vision.tower.grid import FLOOR, MOST_LEVELS, SIDE, STEPS, TowerSizes
from vision.tower.rays import FACES


@dataclass(frozen=True, eq=False)
class BarFace:
    """A square of a bar: its cell, its corners in the picture, (4, 2) pixels, and how far it is from the camera.

    side: which of the cell's six, as ``FACES`` counts them.
    """

    cell: int
    side: int
    corners: NDArray[np.int32]
    far_mm: float


def bar_faces(view: View, sizes: TowerSizes, filled: NDArray[np.bool_]) -> list[BarFace]:
    """Return the faces of filled cells that look at the camera and touch no other filled cell, far ones first."""
    lows = np.array([planes[0] for planes in sizes.planes_mm()])
    steps = np.array([*sizes.pitch_mm, sizes.unit_mm])
    centre, found = view.pose.centre_mm, []
    for cell in np.flatnonzero(filled):
        level, place = divmod(int(cell), FLOOR)
        index = np.array([place % SIDE, place // SIDE, level])
        for face in range(FACES):
            axis, far = divmod(face, 2)
            if _covered(index, axis, 2 * far - 1, filled):
                continue
            a, b = (k for k in range(3) if k != axis)
            ring = np.zeros((4, 3))
            ring[:, axis], ring[:, a], ring[:, b] = far, (0, 1, 1, 0), (0, 0, 1, 1)
            corners = lows + (index + ring) * steps
            middle = corners.mean(axis=0)
            if (2 * far - 1) * (centre[axis] - middle[axis]) <= 0:
                continue
            points = view.project(corners)
            if np.isfinite(points).all():
                far_mm = float(np.linalg.norm(centre - middle))
                found.append(BarFace(int(cell), face, np.round(points).astype(np.int32), far_mm))
    return sorted(found, key=lambda face: -face.far_mm)


def _covered(index: NDArray[np.int64], axis: int, way: int, filled: NDArray[np.bool_]) -> bool:
    beside = index.copy()
    beside[axis] += way
    if (beside < 0).any() or beside[0] >= SIDE or beside[1] >= SIDE or beside[2] >= MOST_LEVELS:
        return False
    return bool(filled[beside[2] * FLOOR + beside[1] * SIDE + beside[0]])


def faces_shown(faces: Sequence[BarFace], size: tuple[int, ...]) -> NDArray[np.int32]:
    """Return the number of the face each pixel shows, (h, w), from 1, 0 for none; nearer faces over farther ones."""
    owners = np.zeros(size, np.int32)
    for number, face in enumerate(faces, 1):
        cv2.fillPoly(owners, [face.corners], number)
    return owners


def of_bars(owners: NDArray[np.int32], faces: Sequence[BarFace], signs: Mapping[int, str]) -> NDArray[np.int32]:
    """Return the faces' numbers with both halves of a bar on one side as one, so that no line goes through a bar."""
    first: dict[tuple[int, int], int] = {}
    bars = [0]
    for number, face in enumerate(faces, 1):
        bar = min(face.cell, face.cell + STEPS.get(signs[face.cell].lower(), 0))
        bars.append(first.setdefault((bar, face.side), number))
    return np.array(bars, np.int32)[owners]
