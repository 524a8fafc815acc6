"""A picture of a tower's reading: what was read of every square in sight and how surely, drawn on the bars' faces.

Colours and words are those of ``vision.explain``: blue plain, orange doubtful, magenta open. A square carries its
sign of the tower text, so colour is never the only sign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from vision.explain import DOUBTFUL, INK, OPEN, PAPER, PLAIN, SURE, Picture, write
from vision.geometry.view import View
from vision.tower.grid import FLOOR, MOST_LEVELS, SIDE, TowerSizes, cell_name
from vision.tower.history import cells_of
from vision.tower.rays import FACES
from vision.tower.reading import TowerReading, facing

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_FILL = 0.25
_BAND_PX = 62
_BORDER_PX = 14
_SHOWN = 0.35
"""A face of which less is in sight carries no sign."""
_LEAST_SIGN_PX = 180
"""Area from which on a face carries a sign, square pixels."""
_LEAST_WIDTH_PX = 420
_HIGHEST_PX = 900


@dataclass(frozen=True, eq=False)
class BarFace:
    """A square of a bar: its cell, its corners in the picture, (4, 2) pixels, and how far it is from the camera.

    side: which of the cell's six, as ``FACES`` counts them.
    """

    cell: int
    side: int
    corners: NDArray[np.int32]
    far_mm: float


def explain_tower(views: Sequence[View], table: TableSetup, reading: TowerReading) -> Picture:
    """Draw a tower's reading over the pictures it was made from, side by side: (h, w, 3) BGR.

    views: those in which the board was found, as ``read_tower`` got them.
    """
    sizes = TowerSizes.of(table)
    panels = [_panel(number, view, table, sizes, reading) for number, view in enumerate(views)]
    height = max(panel.shape[0] for panel in panels)
    padded = [
        cv2.copyMakeBorder(panel, 0, height - panel.shape[0], 0, _BORDER_PX, cv2.BORDER_CONSTANT, value=PAPER)
        for panel in panels
    ]
    return np.asarray(np.hstack(padded), np.uint8)


def _panel(number: int, view: View, table: TableSetup, sizes: TowerSizes, reading: TowerReading) -> Picture:
    signs = cells_of(reading.tower)
    filled = np.array([sign != "." for sign in signs]) & (reading.belief.filled >= 0.5)
    faces = sorted(bar_faces(view, sizes, filled), key=lambda face: -face.far_mm)
    picture = view.picture_bgr.copy()
    tint, owner = picture.copy(), np.full(picture.shape[:2], -1, np.int32)
    for index, face in enumerate(faces):  # far ones first, so that near ones are drawn over them
        cv2.fillPoly(tint, [face.corners], _colour(signs[face.cell], reading.confidence, face.cell))
        cv2.fillPoly(owner, [face.corners], index)
    cv2.addWeighted(tint, _FILL, picture, 1 - _FILL, 0, dst=picture)
    for index, face in enumerate(faces):
        own = owner == index
        whole = float(cv2.contourArea(face.corners))
        if not own.any() or whole <= 0:
            continue
        rim = np.zeros(picture.shape[:2], np.uint8)
        cv2.polylines(rim, [face.corners], True, 255, 2, cv2.LINE_AA)
        picture[(rim > 90) & own] = _colour(signs[face.cell], reading.confidence, face.cell)
        if own.sum() >= max(_SHOWN * whole, _LEAST_SIGN_PX):
            rows, columns = np.nonzero(own)
            size = float(np.clip(np.sqrt(whole) / 45, 0.35, 1.1))
            write(picture, np.array([columns.mean(), rows.mean()]), _words(signs, reading, face.cell), size)
    part = _cut(picture, view, table, sizes, filled)
    return np.asarray(np.vstack([_band(number, view, reading, part.shape[1]), part]), np.uint8)


def bar_faces(view: View, sizes: TowerSizes, filled: NDArray[np.bool_]) -> list[BarFace]:
    """The faces of filled cells that look at the camera and lie against no other filled cell."""
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
                found.append(
                    BarFace(
                        int(cell), face, np.round(points).astype(np.int32), float(np.linalg.norm(centre - middle))
                    )
                )
    return found


def _covered(index: NDArray[np.int64], axis: int, way: int, filled: NDArray[np.bool_]) -> bool:
    beside = index.copy()
    beside[axis] += way
    if (beside < 0).any() or beside[0] >= SIDE or beside[1] >= SIDE or beside[2] >= MOST_LEVELS:
        return False
    return bool(filled[beside[2] * FLOOR + beside[1] * SIDE + beside[0]])


def _chance(confidence: Mapping[str, float], cell: int) -> float:
    return confidence.get(cell_name(cell), 0.0)


def _colour(sign: str, confidence: Mapping[str, float], cell: int) -> tuple[int, int, int]:
    if sign == "?":
        return OPEN
    return PLAIN if _chance(confidence, cell) >= SURE else DOUBTFUL


def _words(signs: Sequence[str], reading: TowerReading, cell: int) -> str:
    """The sign; of an open square the likelier colour and how likely it is."""
    if signs[cell] != "?":
        return signs[cell]
    light, dark = reading.belief.colours[cell]
    return f"{'X' if light > dark else 'x'}? {round(100 * max(light, dark))}"


def _cut(picture: Picture, view: View, table: TableSetup, sizes: TowerSizes, filled: NDArray[np.bool_]) -> Picture:
    """The part with the board and the tower in it, not higher than fits a screen."""
    top = min(int(filled.reshape(MOST_LEVELS, FLOOR).any(axis=1).sum()) + 1, MOST_LEVELS)
    points = view.project(np.concatenate([*table.markers.values(), sizes.corners_mm(0, top)]))
    points = points[np.isfinite(points).all(axis=1)]
    size = np.array(picture.shape[1::-1])
    low = np.clip(points.min(axis=0) - _BORDER_PX, 0, size - 1).astype(int)
    high = np.clip(points.max(axis=0) + _BORDER_PX, low + 1, size).astype(int)
    part = picture[low[1] : high[1], low[0] : high[0]]
    if (spare := _LEAST_WIDTH_PX - part.shape[1]) > 0:
        part = np.asarray(cv2.copyMakeBorder(part, 0, 0, 0, spare, cv2.BORDER_CONSTANT, value=PAPER), np.uint8)
    if part.shape[0] > _HIGHEST_PX:
        share = _HIGHEST_PX / part.shape[0]
        part = np.asarray(cv2.resize(part, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
    return part


def _band(number: int, view: View, reading: TowerReading, width: int) -> Picture:
    """Which picture, the side before it and whether it counted, and the legend."""
    band = np.full((_BAND_PX, width, 3), PAPER, np.uint8)
    state = (
        "left out"
        if number in reading.spoilt
        else "something in the way"
        if number in reading.covered
        else "clear view"
    )
    words = f"{number + 1}: {view.camera}, {facing(view.pose)}, {state}"
    cv2.putText(band, words, (10, 24), _FONT, 0.55, INK, 1, cv2.LINE_AA)
    x = 10
    for text, colour in (("99 % sure", PLAIN), ("less sure", DOUBTFUL), ("left open", OPEN)):
        cv2.rectangle(band, (x, 38), (x + 16, 54), colour, -1)
        cv2.putText(band, text, (x + 22, 52), _FONT, 0.5, INK, 1, cv2.LINE_AA)
        x += 40 + cv2.getTextSize(text, _FONT, 0.5, 1)[0][0]
    return band
