"""Flat things and prints: the wooden table top, the paper frame with its markers, the board."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.layout import quiet_mm
from calibration.table import TableSetup
from referee.virtual.drawing.colours import BGR

Picture = NDArray[np.uint8]
_WOOD_MM, _WOOD_PX = 2600.0, 1300
_PX_A_MM = 3.0
_LETTERS_MM = 6.0


@dataclass(frozen=True, eq=False)
class Layer:
    """A flat thing. low, high: (2,) mm, its extent. z_mm: how high it lies. turns: whether players turn it."""

    picture: Picture
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    z_mm: float
    turns: bool


def layers_of(table: TableSetup, ground: Layer) -> tuple[Layer, ...]:
    """Return the flat layers of a virtual table, from below.

    ground: what hands lay things on; paper turns with it.
    """
    wood = Layer(_wood(), np.full(2, -_WOOD_MM / 2), np.full(2, _WOOD_MM / 2), _paper_z(table) - 0.5, False)
    return (wood, ground) if table.board is not None else (wood, _paper(table, ground.turns), ground)


def _paper_z(table: TableSetup) -> float:
    """Return how high the paper lies, or the table under a board without it."""
    if table.board is not None:
        return -(table.board.thickness_mm or 0.0)
    return float(np.mean([at[:, 2].mean() for at in table.markers.values()]))


def grain(rng: np.random.Generator, shape: tuple[int, int], along: float, across: float) -> NDArray[np.float32]:
    """Smooth noise about 0, (h, w), with its grain in pixels along and across the picture's rows."""
    cells = max(2, int(shape[0] / across)), max(2, int(shape[1] / along))
    small = rng.normal(size=cells).astype(np.float32)
    return np.asarray(cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC), np.float32)


def toned(paint: BGR, tone: NDArray[np.float32]) -> Picture:
    """Return a paint made lighter and darker, (h, w, 3)."""
    return np.asarray(np.clip(np.array(paint, np.float32) * tone[..., None], 0, 255), np.uint8)


def _wood() -> Picture:
    rng = np.random.default_rng(7)
    shape = (_WOOD_PX, _WOOD_PX)
    tone = (
        1 + 0.07 * grain(rng, shape, 700, 22) + 0.035 * grain(rng, shape, 240, 4) + 0.05 * grain(rng, shape, 500, 200)
    )
    planks = np.repeat(1 + 0.05 * rng.normal(size=12), -(-_WOOD_PX // 12))[:_WOOD_PX]
    tone *= planks[:, None].astype(np.float32)
    tone[:: -(-_WOOD_PX // 12)] *= 0.72
    return toned((58.0, 84.0, 118.0), tone.astype(np.float32))


class PrintedSheet:
    """A rectangle being printed on; y grows away from the viewer, rows of the picture towards them."""

    def __init__(self, low: NDArray[np.float64], high: NDArray[np.float64], paint: BGR, rough: float) -> None:
        self.low, self.high = low, high
        width, height = np.ceil((high - low) * _PX_A_MM).astype(int)
        rng = np.random.default_rng(3)
        self.picture = toned(paint, 1 + rough * grain(rng, (int(height), int(width)), 5, 5))

    def px(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return points (..., 2) mm as pixels."""
        return np.stack([points_mm[..., 0] - self.low[0], self.high[1] - points_mm[..., 1]], axis=-1) * _PX_A_MM

    def fill(self, low: tuple[float, float], high: tuple[float, float], paint: BGR, share: float = 1.0) -> None:
        """Print a rectangle."""
        (x0, y1), (x1, y0) = (np.round(self.px(np.array(at))).astype(int) for at in (low, high))
        part = self.picture[max(y0, 0) : max(y1, 0), max(x0, 0) : max(x1, 0)]
        part[:] = np.clip(part * (1 - share) + np.array(paint) * share, 0, 255).astype(np.uint8)

    def word(self, text: str, at: tuple[float, float], paint: BGR, size_mm: float = _LETTERS_MM) -> None:
        """Print a word around a point."""
        scale = size_mm * _PX_A_MM / 22
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_DUPLEX, scale, 1)
        x, y = self.px(np.array(at))
        corner = (round(float(x) - width / 2), round(float(y) + height / 2))
        cv2.putText(self.picture, text, corner, cv2.FONT_HERSHEY_DUPLEX, scale, paint, 1, cv2.LINE_AA)


def _paper(table: TableSetup, turns: bool) -> Layer:
    corners = np.concatenate(list(table.markers.values()))[:, :2]
    quiet = quiet_mm(table.marker_size_mm)
    sheet = PrintedSheet(corners.min(axis=0) - quiet, corners.max(axis=0) + quiet, (232.0, 236.0, 238.0), 0.012)
    kind = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, table.marker_dictionary))
    for number, at in table.markers.items():
        bits = np.asarray(cv2.aruco.generateImageMarker(kind, number, 120), np.uint8)
        ink = np.clip(bits[..., None].astype(np.float32) / 255 * 207 + 28, 0, 255).repeat(3, axis=2).astype(np.uint8)
        square = np.array([[0, 0], [120, 0], [120, 120], [0, 120]], np.float32) - 0.5
        warp = cv2.getPerspectiveTransform(square, (sheet.px(at[:, :2]) - 0.5).astype(np.float32))
        size = (sheet.picture.shape[1], sheet.picture.shape[0])
        cv2.warpPerspective(ink, warp, size, dst=sheet.picture, borderMode=cv2.BORDER_TRANSPARENT)
    return Layer(sheet.picture, sheet.low, sheet.high, _paper_z(table), turns)
