"""Measures a camera by a picture of the set-up: sharpness, exposure, how far apart the flags' colours lie.

Nothing here judges; referee/certificate does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.pose import find_markers
from calibration.sharpness import segments_width_px
from calibration.table import TableSetup
from referee.values.board import Board
from referee.values.players import PlayerName
from vision.geometry.printed_frame import frame_band
from vision.geometry.silhouette import fill
from vision.geometry.view import View

BURNT, BLACK = 254, 4
"""A pixel is clipped when all its channels are at least, or at most, this."""
_MARKER_CELLS = 6
_AXIS_LOW, _AXIS_HIGH = 0.25, 0.9
_STRONGEST = 0.3
"""Share of the pixels around a flag's axis, the most colourful, that are the flag's: the rest may lie beside it."""
_LEAST_PIXELS = 4


@dataclass(frozen=True, slots=True)
class PictureHealth:
    """One camera's picture.

    markers, markers_all: found, and printed. reprojection_px: rms. edge_px: width of the markers' edges. burnt,
    black: share of the table's area that is clipped. paper: median brightness of the frame's paper, 0 to 255.
    colour_gap: the smallest distance in CIELAB (CIE 1976) between two colours of flags, and colours: which two;
    ``None`` when fewer than two colours were seen. field_px: side of the middle field in the picture.
    """

    camera: str
    size: tuple[int, int]
    markers: int
    markers_all: int
    reprojection_px: float
    edge_px: float
    burnt: float
    black: float
    paper: float
    colour_gap: float | None
    colours: tuple[PlayerName, PlayerName] | None
    field_px: float


@dataclass(frozen=True, slots=True)
class MarkerSight:
    """How one picture shows the printed frame. markers: found. edge_px: width of their edges, -1 without any."""

    markers: int
    edge_px: float


def frame_sight(picture_bgr: NDArray[np.uint8], table: TableSetup) -> MarkerSight:
    """Measure how a picture shows the frame, whatever is known of the lens."""
    found = find_markers(picture_bgr, table)
    return MarkerSight(len(found), markers_edge_px(picture_bgr, found) if found else -1.0)


def markers_edge_px(picture_bgr: NDArray[np.uint8], found: Mapping[int, NDArray[np.float64]]) -> float:
    """Measure the width of the edges of markers, px. found: (4, 2) pixels of each, at least one."""
    grey = np.asarray(cv2.cvtColor(picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    sides = np.concatenate([np.stack([at, np.roll(at, -1, axis=0)], axis=1) for at in found.values()])
    return segments_width_px(grey, sides, 1 / _MARKER_CELLS)


def picture_health(view: View, table: TableSetup, board: Board, words: Sequence[str]) -> PictureHealth:
    """Measure one view. board: as read. words: of its pieces, that of code 1 first."""
    grey = np.asarray(cv2.cvtColor(view.picture_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    area = _table_area(view, table)
    pixels = view.picture_bgr[area]
    gap, pair = _closest(flag_colours(view, table, board.heights, board.flags, words))
    return PictureHealth(
        camera=view.camera,
        size=view.lens.size,
        markers=view.pose.markers,
        markers_all=len(table.markers),
        reprojection_px=view.pose.reprojection_px,
        edge_px=frame_sight(view.picture_bgr, table).edge_px,
        burnt=float((pixels >= BURNT).all(axis=1).mean()),
        black=float((pixels <= BLACK).all(axis=1).mean()),
        paper=_paper(view, table, grey),
        colour_gap=gap,
        colours=pair,
        field_px=_field_px(view, table),
    )


def flag_colours(
    view: View, table: TableSetup, heights: NDArray[np.integer], flags: NDArray[np.integer], words: Sequence[str]
) -> dict[PlayerName, NDArray[np.float64]]:
    """Return the colour of each kind of flag as one camera shows it, CIELAB (3,): the median over its flags.

    words: by code.
    """
    lab = np.asarray(cv2.cvtColor(view.picture_bgr.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)
    seen: dict[PlayerName, list[NDArray[np.float64]]] = {}
    for row, col in np.argwhere(flags > 0):
        own = _flag_lab(lab, view, table, (*table.centre_mm(int(row), int(col)), int(heights[row, col])))
        if own is not None:
            seen.setdefault(PlayerName(words[int(flags[row, col]) - 1]), []).append(own)
    return {colour: np.asarray(np.median(np.array(all_), axis=0), np.float64) for colour, all_ in seen.items()}


def _flag_lab(
    lab: NDArray[np.float32], view: View, table: TableSetup, at: tuple[float, float, int]
) -> NDArray[np.float64] | None:
    """Return the colour of one flag, CIELAB (3,), ``None`` outside the picture.

    It is taken from the most colourful pixels near the flag's axis.
    """
    x, y, stones = at
    low = stones * table.cube_mm[2]
    up = np.linspace(_AXIS_LOW, _AXIS_HIGH, 9) * table.flag.height_mm + low
    # Across the line of sight the axis has pixels beside it, as far as the flag is thick.
    away = np.array([x, y]) - view.pose.centre_mm[:2]
    side = np.array([-away[1], away[0]]) / max(float(np.linalg.norm(away)), 1e-6)
    across = np.linspace(-0.7, 0.7, 5) * table.flag.radius_mm
    points = np.empty((len(up), len(across), 3))
    points[..., :2] = np.array([x, y]) + across[None, :, None] * side
    points[..., 2] = up[:, None]
    places = view.project(points).reshape(-1, 2)
    height, width = lab.shape[:2]
    if not np.isfinite(places).all() or places.min() < 0 or (places > (width - 1, height - 1)).any():
        return None
    spots = places.astype(np.float32)
    values = np.asarray(cv2.remap(lab, spots[:, 0], spots[:, 1], cv2.INTER_LINEAR), np.float64).reshape(-1, 3)
    chroma = np.hypot(values[:, 1], values[:, 2])
    strongest = np.argsort(chroma)[-max(_LEAST_PIXELS, int(_STRONGEST * len(values))) :]
    return np.asarray(np.median(values[strongest], axis=0), np.float64)


def _closest(
    colours: Mapping[PlayerName, NDArray[np.float64]],
) -> tuple[float | None, tuple[PlayerName, PlayerName] | None]:
    pairs = [(float(np.linalg.norm(colours[a] - colours[b])), (a, b)) for a, b in combinations(sorted(colours), 2)]
    return min(pairs) if pairs else (None, None)


def _table_area(view: View, table: TableSetup) -> NDArray[np.bool_]:
    """Return the mask (h, w) of the part of the picture within the frame's outer edge."""
    corners = np.concatenate(list(table.markers.values()))
    low, high = corners.min(axis=0), corners.max(axis=0)
    rim = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    places = view.project(np.column_stack([rim, np.full(4, corners[:, 2].mean())]))
    return fill([places], view.lens.size)


def _paper(view: View, table: TableSetup, grey: NDArray[np.uint8]) -> float:
    band = frame_band(table)
    places = view.project(band.points_mm[band.paper][::7])
    spots = places[np.isfinite(places).all(axis=1)].astype(np.float32)
    values = cv2.remap(grey, spots[:, :1], spots[:, 1:], cv2.INTER_LINEAR, borderValue=0)
    return float(np.median(values))


def _field_px(view: View, table: TableSetup) -> float:
    half_x, half_y = table.pitch_mm[0] / 2, table.pitch_mm[1] / 2
    corners = np.array([[-half_x, -half_y, 0], [half_x, -half_y, 0], [half_x, half_y, 0], [-half_x, half_y, 0]])
    places = view.project(corners).astype(np.float32)
    return float(np.sqrt(cv2.contourArea(places)))
