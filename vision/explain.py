"""Draws what was read in each field, and how surely, on the stacks of a picture at their true height.

Colours say how sure a field is: blue plain, orange doubtful, magenta open, and grey where this camera can't see it;
a doubtful or open field also carries the two likeliest heights, so colour is never the only sign.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.belief import BoardBelief, log_probabilities
from referee.values.board import DIGITS
from vision.geometry.view import View
from vision.geometry.visibility import tops_seen
from vision.reading import Reading

Picture = NDArray[np.uint8]

SURE = 0.99
"""From this probability on a field is drawn as plain."""
IN_SIGHT = 0.25
"""A stack of whose top face less is in view is drawn as out of sight."""
PLAIN, DOUBTFUL, OPEN, _HIDDEN = (214, 120, 20), (0, 140, 255), (200, 0, 200), (150, 150, 150)
_GRID, INK, PAPER = (120, 120, 120), (20, 20, 20), (250, 250, 250)
_DISC = {
    "r": (40, 40, 220),
    "y": (0, 215, 250),
    "g": (60, 160, 40),
    "b": (220, 110, 20),
    "o": (40, 130, 240),
    "p": (170, 60, 130),
    "w": (245, 245, 245),
    "n": (40, 40, 40),
    "k": (70, 180, 200),
}
"""A piece's disc, by its letter, BGR."""
_FONT = cv2.FONT_HERSHEY_SIMPLEX
_BAND_PX = 62
_FILL = 0.28
_BORDER_PX = 12
_LEAST_WIDTH_PX = 660
"""Room for the line of words."""


def explain(views: Sequence[View], table: TableSetup, reading: Reading, belief: BoardBelief) -> Picture:
    """Draw a reading over the pictures it was made from, side by side.

    views: the cameras that saw the frame. belief: the field-by-field belief the text was told from (history
    included, if there was any). Returns: (h, w, 3) BGR, as high as the highest picture and a line of words.
    """
    panels = [_panel(view, table, reading, belief) for view in views]
    height = max(panel.shape[0] for panel in panels)
    padded = [
        cv2.copyMakeBorder(panel, 0, height - panel.shape[0], 0, 0, cv2.BORDER_CONSTANT, value=PAPER)
        for panel in panels
    ]
    return np.asarray(np.hstack(padded), np.uint8)


def _panel(view: View, table: TableSetup, reading: Reading, belief: BoardBelief) -> Picture:
    picture = overlay(view, table, reading, belief)
    if (spare := _LEAST_WIDTH_PX - picture.shape[1]) > 0:
        picture = np.asarray(cv2.copyMakeBorder(picture, 0, 0, 0, spare, cv2.BORDER_CONSTANT, value=PAPER), np.uint8)
    return np.asarray(np.vstack([_band(view, reading, picture.shape[1]), picture]), np.uint8)


def overlay(view: View, table: TableSetup, reading: Reading, belief: BoardBelief) -> Picture:
    """Draw what was read over one camera's picture, cut to the board: (h, w, 3) BGR, without words."""
    picture = view.picture_bgr.copy()
    chances = np.exp(log_probabilities(belief.heights))
    heights = chances.argmax(axis=2)
    flags = belief.flags.argmax(axis=2)
    flag_chances = np.exp(log_probabilities(belief.flags)).max(axis=2)
    shares = tops_seen(view.pose.centre_mm, heights.astype(np.int8), table)
    _draw_grid(picture, view, table)
    distance = np.linalg.norm(_middles(table, heights) - view.pose.centre_mm, axis=2)
    tint = picture.copy()
    faces: list[tuple[NDArray[np.int32], tuple[int, int, int]]] = []
    order = np.argsort(-distance, axis=None)  # the far stacks first, so that near ones are drawn over them
    for row, col in zip(*np.unravel_index(order, heights.shape), strict=True):
        corners = _face(view, table, int(row), int(col), int(heights[row, col]))
        if corners is None:
            continue
        seen = shares[row, col] >= IN_SIGHT
        colour = _colour(float(chances[row, col].max()), bool(seen))
        faces.append((corners, colour))
        cv2.fillPoly(tint, [corners], colour)
    cv2.addWeighted(tint, _FILL, picture, 1 - _FILL, 0, dst=picture)
    for corners, colour in faces:
        cv2.polylines(picture, [corners], isClosed=True, color=colour, thickness=2, lineType=cv2.LINE_AA)
    size = _text_size(view, table)
    for row, col in np.ndindex(*heights.shape):
        corners = _face(view, table, row, col, int(heights[row, col]))
        if corners is None or shares[row, col] < IN_SIGHT:
            continue
        words = _height_words(chances[row, col])
        flag = int(flags[row, col])
        mark = "" if not flag else belief.letters[flag - 1] if flag_chances[row, col] >= SURE else "?"
        disc = _DISC.get(belief.letters[flag - 1]) if mark else None
        write(picture, corners.mean(axis=0), words, size, disc, mark)
    _hatch(picture, view, table, reading)
    return cut_to_board(picture, view, table, int(heights.max()))


def cut_to_board(picture: Picture, view: View, table: TableSetup, tallest: int) -> Picture:
    """Cut a picture to the part with the frame and the towers in it."""
    frame = table.around_mm
    raised = frame * (0.8, 0.8, 1.0) + (0, 0, tallest * table.cube_mm[2] + table.flag.tallest_mm)
    points = view.project(np.concatenate([frame, raised]))
    points = points[np.isfinite(points).all(axis=1)]
    size = np.array(picture.shape[1::-1])
    low = np.clip(points.min(axis=0) - _BORDER_PX, 0, size - 1).astype(int)
    high = np.clip(points.max(axis=0) + _BORDER_PX, low + 1, size).astype(int)
    return picture[low[1] : high[1], low[0] : high[0]]


def _colour(chance: float, seen: bool) -> tuple[int, int, int]:
    if not seen:
        return _HIDDEN
    return PLAIN if chance >= SURE else DOUBTFUL if chance >= 0.9 else OPEN


def _height_words(chances: NDArray[np.float64]) -> str:
    """Return the likeliest height as text, with its rival where it is doubtful."""
    order = np.argsort(-chances)
    best, other = DIGITS[int(order[0])], DIGITS[int(order[1])]
    return best if chances[order[0]] >= SURE else f"{best}/{other}"


def _middles(table: TableSetup, heights: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return the middles of the stacks' top faces, (rows, cols, 3) mm."""
    return np.concatenate([table.centres_mm(), heights[..., None] * table.cube_mm[2]], axis=2)


def _face(view: View, table: TableSetup, row: int, col: int, height: int) -> NDArray[np.int32] | None:
    """Return the top face of a stack in the picture, (4, 2) pixels; ``None`` where it lies outside."""
    half = np.array(table.cube_mm[:2]) / 2
    ring = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half + table.centre_mm(row, col)
    points = view.project(np.column_stack([ring, np.full(4, height * table.cube_mm[2])]))
    reach = np.array(view.picture_bgr.shape[1::-1])
    if not np.isfinite(points).all() or (points < -reach).any() or (points > 2 * reach).any():
        return None
    return np.round(points).astype(np.int32)


def _draw_grid(picture: Picture, view: View, table: TableSetup) -> None:
    """Draw the board's grid on its surface."""
    half_x, half_y = table.half_size_mm
    lines = [((x, -half_y), (x, half_y)) for x in np.linspace(-half_x, half_x, table.columns + 1)]
    lines += [((-half_x, y), (half_x, y)) for y in np.linspace(-half_y, half_y, table.rows + 1)]
    for start, end in lines:
        steps = np.linspace(0, 1, 12)[:, None]
        points = np.array(start) * (1 - steps) + np.array(end) * steps
        pixels = view.project(np.column_stack([points, np.zeros(len(points))]))
        if np.isfinite(pixels).all():
            cv2.polylines(picture, [np.round(pixels).astype(np.int32)], False, _GRID, 1, cv2.LINE_AA)


def _text_size(view: View, table: TableSetup) -> float:
    """Return the font scale at which a digit fills about half a field in the middle of the board."""
    across = view.project(np.array([[0.0, 0.0, 0.0], [table.pitch_mm[0], 0.0, 0.0]]))
    return float(np.clip(np.linalg.norm(across[1] - across[0]) / 60, 0.35, 1.2))


def write(
    picture: Picture,
    at: NDArray[np.float64],
    words: str,
    size: float,
    flag: tuple[int, int, int] | None = None,
    letter: str = "",
) -> None:
    """Write a height or a sign with its middle at (x, y); a flag as a disc with its letter beside it."""
    (width, height), _ = cv2.getTextSize(words, _FONT, size, 1)
    x, y = int(at[0] - width / 2), int(at[1] + height / 2)
    for colour, thick in ((PAPER, 4), (INK, 1 if size < 0.6 else 2)):
        cv2.putText(picture, words, (x, y), _FONT, size, colour, thick, cv2.LINE_AA)
    if flag is not None:
        radius = max(6, round(11 * size))
        centre = (int(at[0] + width / 2 + radius), int(at[1] - height / 2))
        cv2.circle(picture, centre, radius + 2, PAPER, -1, cv2.LINE_AA)
        cv2.circle(picture, centre, radius, flag, -1, cv2.LINE_AA)
        start = (centre[0] - round(5 * size * 1.2), centre[1] + round(6 * size))
        cv2.putText(picture, letter, start, _FONT, size * 0.6, INK, 1, cv2.LINE_AA)


def _hatch(picture: Picture, view: View, table: TableSetup, reading: Reading) -> None:
    """Draw a cross over every field that something foreign hides."""
    for field in reading.blocked:
        corners = _face(view, table, field.row, field.col, 0)
        if corners is not None:
            for one, other in ((0, 2), (1, 3)):
                ends = tuple(map(int, corners[one])), tuple(map(int, corners[other]))
                cv2.line(picture, ends[0], ends[1], DOUBTFUL, 2, cv2.LINE_AA)


def _band(view: View, reading: Reading, width: int) -> Picture:
    """Draw a band above a picture with its camera, the quality of its view and the legend."""
    band = np.full((_BAND_PX, width, 3), PAPER, np.uint8)
    seen = reading.cameras[view.camera]
    clear = "clear view" if reading.clear else "something in the way"
    words = f"{view.camera}: {seen.markers} markers, reprojection error {seen.reprojection_px:.2f} px, {clear}"
    cv2.putText(band, words, (10, 24), _FONT, 0.6, INK, 1, cv2.LINE_AA)
    legend: Mapping[str, tuple[int, int, int]] = {
        "99 % sure": PLAIN,
        "90 % sure": DOUBTFUL,
        "left open": OPEN,
        "not in sight": _HIDDEN,
    }
    x = 10
    for text, colour in legend.items():
        cv2.rectangle(band, (x, 38), (x + 16, 54), colour, -1)
        cv2.putText(band, text, (x + 22, 52), _FONT, 0.5, INK, 1, cv2.LINE_AA)
        x += 40 + cv2.getTextSize(text, _FONT, 0.5, 1)[0][0]
    return band
