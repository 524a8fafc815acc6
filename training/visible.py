"""Finds which stacks of a rendered scene a camera can see, by the same geometry as in the product."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from calibration.table import Charuco, FlagShape, TableSetup
from vision.geometry.visibility import seen_share

SEEN = 0.3
"""A stack is seen when this share of its top face is."""


def table_of(scene: Mapping[str, NDArray]) -> TableSetup:
    """Return the table of a scene, as far as fusing and lines of sight need it."""
    rows, cols = scene["heights"].shape
    height, radius = (float(v) for v in scene["stands"])
    cube = tuple(float(v) for v in scene["cube"])
    return TableSetup(
        game="",
        columns=cols,
        rows=rows,
        pitch_mm=(float(scene["pitch"]),) * 2,
        cube_mm=(cube[0], cube[1], cube[2]),
        flag=FlagShape("pawn", height, radius, height),
        marker_dictionary="",
        marker_size_mm=1.0,
        markers={},
        charuco=Charuco((0, 0), 1.0, 1.0, ""),
        margin_fields={},
        cameras=("cam0", "cam1"),
    )


def seen_fields(scene: Mapping[str, NDArray], centre_mm: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return 1 where the camera at ``centre_mm`` sees the top of the stack, else 0: (rows, cols)."""
    heights = scene["heights"].astype(np.int8)
    table = table_of(scene)
    lifts = np.arange(int(heights.max()) + 1) * table.cube_mm[2]
    shares = seen_share(centre_mm, heights, lifts, table)
    share = np.take_along_axis(shares, heights[..., None].astype(np.intp), axis=2)[..., 0]
    return (share >= SEEN).astype(np.float32)
