"""Which stacks of a rendered scene a camera can see, by the same geometry as in the product."""

from __future__ import annotations

from collections.abc import Mapping
from types import SimpleNamespace

import numpy as np
from numpy.typing import NDArray

from vision.geometry.visibility import seen_share

SEEN = 0.3
"""A stack is seen when this share of its top face is."""


def seen_fields(scene: Mapping[str, NDArray], centre_mm: NDArray[np.float64]) -> NDArray[np.float32]:
    """(rows, cols) 1 where the camera at ``centre_mm`` sees the top of the stack, else 0."""
    heights = scene["heights"].astype(np.int8)
    cube_mm = scene["cube"].astype(float)
    table = SimpleNamespace(pitch_mm=(float(scene["pitch"]),) * 2, cube_mm=tuple(cube_mm))
    lifts = np.arange(int(heights.max()) + 1) * cube_mm[2]
    shares = seen_share(centre_mm, heights, lifts, table)
    share = np.take_along_axis(shares, heights[..., None].astype(np.intp), axis=2)[..., 0]
    return (share >= SEEN).astype(np.float32)
