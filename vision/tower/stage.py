"""All pictures of one tower together, ready to be compared with any tower drawn into them.

A tower's drawing cuts every picture into regions: one for each visible face of each cell, and the scenery. A face has
one colour within a spread; which one is left open here, so that a bar is told from what is behind it by its outline
as much as by its colour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tower.grid import CELLS, FLOOR
from vision.tower.rays import FACES, Sight

SQUARES = CELLS * FACES
"""The first of the base's nine squares: seen where their columns are empty, of one colour each like the faces."""
SCENERY = SQUARES + FLOOR
REGIONS = SCENERY + 1
"""Regions a picture can have: faces of cells, squares of the base, the scenery."""
_AROUND = ((0, 1), (1, 0), (0, -1), (-1, 0))


@dataclass(frozen=True, eq=False)
class Stage:
    """n samples of all pictures in one row.

    colours: (n, 3) BGR 0 to 1. cells, faces: (n, d) along each line of sight. first_region: (n,) number of the
    picture's first region. behind: (n,) the region seen where nothing stands. around: (4, n) each sample's neighbours
    in its picture. looks: how many pictures.
    """

    colours: NDArray[np.float32]
    cells: NDArray[np.int16]
    faces: NDArray[np.int8]
    first_region: NDArray[np.int32]
    behind: NDArray[np.int32]
    around: NDArray[np.int32]
    looks: int

    def depths(self, filled: NDArray[np.bool_], at: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return for some of the samples, (k,) numbers, which cell along its line of sight each shows, (k,)."""
        return np.asarray(np.append(filled, True)[self.cells[at]].argmax(axis=1), np.int64)

    def shown(self, at: NDArray[np.int64], depths: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the region that some of the samples, (k,) numbers, show at these ``depths``, (k,)."""
        cell = self.cells[at, depths].astype(np.int32)
        region = np.where(cell == CELLS, self.behind[at], cell * FACES + self.faces[at, depths])
        return (region + self.first_region[at]).astype(np.int32)


def set_stage(sights: Sequence[Sight]) -> Stage:
    """Put the pictures of one tower together."""
    depth = max(sight.cells.shape[1] for sight in sights) + 1
    cells, faces, first, behind, around = [], [], [], [], []
    start = 0
    for number, sight in enumerate(sights):
        count, spare = len(sight.colours), depth - sight.cells.shape[1]
        cells.append(np.pad(sight.cells, ((0, 0), (0, spare)), constant_values=CELLS))
        faces.append(np.pad(sight.faces, ((0, 0), (0, spare))))
        first.append(np.full(count, number * REGIONS, np.int32))
        behind.append(np.where(sight.square >= 0, SQUARES + sight.square.astype(np.int32), SCENERY).astype(np.int32))
        around.append(_around(sight.shape) + start)
        start += count
    return Stage(
        np.concatenate([sight.colours for sight in sights]),
        np.concatenate(cells),
        np.concatenate(faces),
        np.concatenate(first),
        np.concatenate(behind),
        np.concatenate(around, axis=1).astype(np.int32),
        len(sights),
    )


def _around(shape: tuple[int, int]) -> NDArray[np.int64]:
    height, width = shape
    rows, columns = np.indices(shape)
    out = []
    for down, right in _AROUND:
        r, c = np.clip(rows + down, 0, height - 1), np.clip(columns + right, 0, width - 1)
        out.append((r * width + c).ravel())
    return np.stack(out)
