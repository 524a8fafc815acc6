"""Where in a small picture the board lies, and how large one of its fields is there."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from vision.view import View

FIELDS_ACROSS = 10
"""Where nothing else is known, a field is this part of the board's side."""
_RIM_FIELDS = 0.5
"""Pieces lean out over the rim of the board as the camera sees them, by about half a field."""


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """The board in small pictures. mask: (h, w) bool. field_px: side of one field, pixels of the small picture."""

    mask: NDArray[np.bool_]
    field_px: float

    @property
    def area_px(self) -> int:
        """How many pixels it has."""
        return int(self.mask.sum())


def whole(shape: tuple[int, int]) -> Region:
    """Everything a picture of shape (h, w) shows."""
    return Region(np.ones(shape, np.bool_), max(shape) / (FIELDS_ACROSS + 2.0))


def polygon_region(corners: NDArray[np.floating], shape: tuple[int, int], across: int = FIELDS_ACROSS) -> Region:
    """A board by its outline, (n, 2) in shares of the picture's width and height, of ``across`` fields a side.

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
    """The board with its printed frame as a camera sees it, in small pictures of shape (h, w).

    Raises ValueError when hardly anything of it lies in the picture.
    """
    printed = np.concatenate(list(table.markers.values()))
    (west, south, _), (east, north, _) = printed.min(axis=0), printed.max(axis=0)
    plane = float(printed[:, 2].mean())
    corners = np.array([[west, south, plane], [east, south, plane], [east, north, plane], [west, north, plane]])
    steps = np.linspace(0, 1, 8, endpoint=False)[:, None]  # a lens bends the sides
    sides = [a + steps * (b - a) for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    places = (view.project(np.concatenate(sides)) + 0.5) / np.array(view.lens.size)
    if not np.isfinite(places).all():
        raise ValueError("the board lies behind the camera")
    return polygon_region(places, shape, round((east - west) / table.pitch_mm[0]))


def chessboard_outline(picture_bgr: NDArray[np.uint8], squares: int = 8) -> NDArray[np.float64] | None:
    """Outline (4, 2), in shares of the picture, of a chessboard with its rim; ``None`` where none is seen.

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
