"""Turns brightness into light, and takes it from places of a table in a picture. Pure."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup

GAMMA = 2.2
"""Of pictures as cameras send them, nearly (IEC 61966-2-1): light is the brightness to this power."""
_MARGIN = 0.45
"""A top is looked at so far from its middle, as a share of a stone: its rim is left out."""


def light_of(brightness: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the light, 0 to 1, that makes a brightness of 0 to 255."""
    return np.asarray((np.maximum(brightness, 1.0) / 255) ** GAMMA, np.float64)


def sampled(grey: NDArray[np.uint8], places_px: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the brightness at places (..., 2), nan outside the picture."""
    height, width = grey.shape
    with np.errstate(invalid="ignore"):
        within = (places_px >= 0) & (places_px <= (width - 1, height - 1))  # false for nan
    inside = np.asarray(within.all(axis=-1), np.bool_)
    spots = np.where(inside[..., None], places_px, 0).astype(np.float32).reshape(-1, 2)
    found = np.asarray(cv2.remap(grey, spots[:, :1], spots[:, 1:], cv2.INTER_LINEAR), np.float64)
    return np.where(inside, found.reshape(inside.shape), np.nan)


def top_points(table: TableSetup, heights: NDArray[np.int8], per_field: int) -> NDArray[np.float64]:
    """Return places on the tops of all stacks, (rows, columns, per_field, per_field, 3) mm."""
    steps = np.linspace(-_MARGIN, _MARGIN, per_field)
    points = np.empty((*heights.shape, per_field, per_field, 3))
    points[..., :2] = table.centres_mm()[:, :, None, None]
    points[..., 0] += steps * min(table.cube_mm[0], table.pitch_mm[0])
    points[..., 1] += steps[:, None] * min(table.cube_mm[1], table.pitch_mm[1])
    points[..., 2] = heights[:, :, None, None] * table.cube_mm[2]
    return points
