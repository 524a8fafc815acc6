"""The region of a small picture that shows the board, and the size of its fields there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from vision.geometry.view import View

FIELDS_ACROSS = 10
"""Fields along the board's side where nothing else is known."""
TOWER_LEVELS = 6
"""Towers are seldom higher; a flag stands on them."""
_RIM_WIDTH_FIELDS = 0.25
_RIM_FIELDS = 0.5
"""Pieces lean out over the rim of the board as the camera sees them, by about half a field."""


@dataclass(frozen=True, eq=False)
class Region:
    """The board in small pictures.

    mask: (h, w) bool. field_px: side of one field, pixels of the small picture. leaning: the board and where towers
    on it may lean out over its rim as the camera sees them; ``None`` where that is not known. ignored: (h, w) bool,
    places of which nothing is learnt, as they change by themselves.
    """

    mask: NDArray[np.bool_]
    field_px: float
    leaning: Region | None = None
    ignored: NDArray[np.bool_] | None = None

    @property
    def area_px(self) -> int:
        """Return how many pixels the region has."""
        return int(self.mask.sum())

    @cached_property
    def counted(self) -> NDArray[np.bool_]:
        """Return the mask (h, w) of the board without what is ignored."""
        return self.mask if self.ignored is None else self.mask & ~self.ignored

    @cached_property
    def sample(self) -> NDArray[np.intp]:
        """Return every third pixel of the board as an index into the flat picture: enough for a median."""
        return np.flatnonzero(self.mask)[::3]

    @cached_property
    def rim(self) -> NDArray[np.bool_]:
        """Return the mask (h, w) of the outermost strip of the board."""
        return self._strip(self.rim_px)

    @cached_property
    def edge(self) -> NDArray[np.bool_]:
        """Return the mask (h, w) of a broader strip along the rim."""
        return self._strip(3 * self.rim_px)

    @property
    def rim_px(self) -> int:
        """Return the width of the rim, pixels."""
        return max(1, round(_RIM_WIDTH_FIELDS * self.field_px))

    def _strip(self, width: int) -> NDArray[np.bool_]:
        mask = np.pad(self.mask.astype(np.uint8), width)
        inner = np.asarray(cv2.erode(mask, np.ones((2 * width + 1, 2 * width + 1), np.uint8)))
        inside = inner[width : mask.shape[0] - width, width : mask.shape[1] - width]
        return np.asarray(self.mask & (inside == 0), np.bool_)

    @cached_property
    def leaned(self) -> NDArray[np.bool_]:
        """Return the mask (h, w) of the part of the rim that a tower may hide."""
        none = np.zeros_like(self.mask)
        return none if self.leaning is None else self.rim & ~self.leaning.rim


def whole(shape: tuple[int, int]) -> Region:
    """Return the region of everything that a picture of shape (h, w) shows."""
    return Region(np.ones(shape, np.bool_), max(shape) / (FIELDS_ACROSS + 2.0))


def polygon_region(corners: NDArray[np.floating], shape: tuple[int, int], across: int = FIELDS_ACROSS) -> Region:
    """Return a board's region by its outline, (n, 2) in shares of the picture's size, of ``across`` fields a side.

    Raises ValueError when hardly anything of it lies in the picture.
    """
    size = np.array([shape[1], shape[0]], np.float64)
    places = np.asarray(corners, np.float64) * size - 0.5
    mask = np.zeros(shape, np.uint8)
    cv2.fillPoly(mask, [np.round(places * 16).astype(np.int32)], 1, shift=4)
    if mask.mean() < 0.02:
        raise ValueError("the board lies outside the picture, or is too small in it")
    area = abs(float(cv2.contourArea(places.astype(np.float32))))
    return Region(mask.astype(np.bool_), float(np.sqrt(area)) / across)


def frame_region(view: View, table: TableSetup, shape: tuple[int, int]) -> Region:
    """Return the region of the board with its printed frame in a camera's small pictures of shape (h, w).

    Raises ValueError when hardly anything of it lies in the picture.
    """
    printed = table.around_mm
    (west, south, _), (east, north, _) = printed.min(axis=0), printed.max(axis=0)
    plane = float(printed[:, 2].mean())
    corners = np.array([[west, south, plane], [east, south, plane], [east, north, plane], [west, north, plane]])
    steps = np.linspace(0, 1, 8, endpoint=False)[:, None]  # a lens bends the sides
    sides = [a + steps * (b - a) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    places = (view.project(np.concatenate(sides)) + 0.5) / np.array(view.lens.size)
    if not np.isfinite(places).all():
        raise ValueError("the board lies behind the camera")
    region = polygon_region(places, shape, round((east - west) / table.pitch_mm[0]))
    towers = _towers(view, table, shape)
    return replace(region, leaning=None if towers is None else Region(region.mask | towers, region.field_px))


def _towers(view: View, table: TableSetup, shape: tuple[int, int]) -> NDArray[np.bool_] | None:
    """Return where towers and their flags may be seen, (h, w) bool: the hull of the box they stand in."""
    half_x, half_y = table.half_size_mm
    top_mm = TOWER_LEVELS * table.cube_mm[2] + table.flag.tallest_mm
    box = np.array([[x, y, z] for x in (-half_x, half_x) for y in (-half_y, half_y) for z in (0.0, top_mm)])
    places = (view.project(box) + 0.5) / np.array(view.lens.size)
    if not np.isfinite(places).all():
        return None
    hull = cv2.convexHull((places * np.array([shape[1], shape[0]]) - 0.5).astype(np.float32))
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), 1, shift=4)
    return np.asarray(mask > 0, np.bool_)


def chessboard_outline(picture_bgr: NDArray[np.uint8], squares: int = 8) -> NDArray[np.float64] | None:
    """Return the outline (4, 2) of a chessboard with its rim, in shares of the picture; ``None`` where none is seen.

    For videos of other people's boards. Inner corners by ``cv2.findChessboardCornersSB`` (Duda and Frese, BMVC 2018).
    """
    inner = squares - 1
    grey = cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY)
    flags = cv2.CALIB_CB_EXHAUSTIVE | cv2.CALIB_CB_NORMALIZE_IMAGE
    found, corners = cv2.findChessboardCornersSB(grey, (inner, inner), flags=flags)
    if not found:
        return None
    grid = np.array([[x, y] for y in range(inner) for x in range(inner)], np.float32)
    warp, _ = cv2.findHomography(grid, np.asarray(corners, np.float32).reshape(-1, 2))
    low, high = -1.0 - _RIM_FIELDS, inner + _RIM_FIELDS
    square = np.array([[[low, low], [high, low], [high, high], [low, high]]], np.float32)
    places = np.asarray(cv2.perspectiveTransform(square, warp), np.float64).reshape(4, 2)
    return np.asarray((places + 0.5) / np.array(picture_bgr.shape[1::-1]), np.float64)
