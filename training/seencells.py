"""Finds which cells of a tower a picture shows, by drawing every face in its own number."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from training.randomtower import Bar


def seen_cells(
    rotation: NDArray,
    shift: NDArray,
    matrix: NDArray,
    size: tuple[int, int],
    bars: list[Bar],
    pitch: float,
    unit: float,
    base_z: float,
) -> list[str]:
    """Return cells of which this picture shows a good part of a face.

    Faces are drawn far to near, each in a number of its own.
    """
    picture = np.zeros((size[1], size[0]), np.int32)
    faces = []
    centre = -rotation.T @ shift
    cells = [cell for bar in bars for cell in bar.cells]
    for number, (i, j, k) in enumerate(cells, 1):
        low = np.array([(i - 1.5) * pitch, (j - 1.5) * pitch, k * unit + base_z])
        high = low + np.array([pitch, pitch, unit])
        for axis in range(3):
            for end in (0, 1):
                corner = []
                for a, b in ((0, 0), (0, 1), (1, 1), (1, 0)):
                    p = np.empty(3)
                    p[[q for q in range(3) if q != axis]] = a, b
                    p[axis] = end
                    corner.append(low + p * (high - low))
                faces.append((np.linalg.norm(np.mean(corner, axis=0) - centre), number, np.array(corner)))
    areas: dict[int, float] = {}
    for _, number, corner in sorted(faces, key=lambda f: -f[0]):
        at = corner @ rotation.T + shift
        px = (at @ matrix.T)[:, :2] / at[:, 2:]
        cv2.fillConvexPoly(picture, np.round(px).astype(np.int32), number)
    areas = {n: int((picture == n).sum()) for n in range(1, len(cells) + 1)}
    least = 0.12 * (matrix[0, 0] * unit / np.linalg.norm(centre)) ** 2
    return sorted(f"{'abc'[i]}{j + 1}.{k + 1}" for n, (i, j, k) in enumerate(cells, 1) if areas[n] >= least)
