"""Draws the page with the calibration target, a ChArUco board true to size."""

from __future__ import annotations

import cv2
import numpy as np

from calibration.errors import CalibrationError
from calibration.printing.paper import MARGIN_MM, Sheet, marker_cells
from calibration.printing.texts import SheetTexts
from calibration.table import Charuco

_HEAD_MM, _RULER_MM, _EDGE_MM = 4.0, 17.0, 5.0
"""Free paper above and below the target that a note needs, that head and ruler need, and that printers need."""


def target_corner(target: Charuco, paper_mm: tuple[float, float]) -> tuple[float, float]:
    """Return the target's upper left corner on a sheet (width, height) held across, mm from its lower left corner.

    Raises CalibrationError, saying what would fit, for a target that the sheet cannot hold.
    """
    width, height = (count * target.square_mm for count in target.squares)
    room = paper_mm[0] - 2 * _EDGE_MM, paper_mm[1] - 2 * _EDGE_MM
    if width > room[0] or height > room[1]:
        fits = int(min(room[0] / target.squares[0], room[1] / target.squares[1]))
        raise CalibrationError(
            f"charuco: {target.squares[0]} x {target.squares[1]} squares of {target.square_mm:g} mm need "
            f"{width:g} x {height:g} mm; on this paper squares of {fits} mm fit: make them smaller in table.json"
        )
    return (paper_mm[0] - width) / 2, (paper_mm[1] + height) / 2


def draw_target(sheet: Sheet, target: Charuco, texts: SheetTexts) -> None:
    """Draw the whole page: squares, markers, and, where there is room, the ruler and what to do with it."""
    left, top = target_corner(target, (sheet.width_mm, sheet.height_mm))
    columns, rows = target.squares
    width, height = columns * target.square_mm, rows * target.square_mm
    dark = (np.add.outer(np.arange(rows), np.arange(columns)) % 2) == 0
    frame = np.array([[left, top], [left + width, top], [left + width, top - height], [left, top - height]])
    sheet.squares(dark, frame)
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, target.dictionary))
    board = cv2.aruco.CharucoBoard(target.squares, target.square_mm, target.marker_mm, dictionary)
    for number, at in zip(np.reshape(board.getIds(), -1), board.getObjPoints(), strict=True):
        corners = np.asarray(at, np.float64)[:, :2] * (1, -1) + (left, top)
        sheet.squares(marker_cells(target.dictionary, int(number)), corners)
    free = (sheet.height_mm - height) / 2
    if free >= _RULER_MM:
        sheet.ruler(left, MARGIN_MM - 2, texts.ruler)
        sheet.text(left, top + 5, texts.target_head, 9, bold=True)
    note = texts.target_note.format(width=f"{width:.1f}", height=f"{height:.1f}")
    if free >= _EDGE_MM + _HEAD_MM:
        sheet.text(left + width, top + (5 if free >= _RULER_MM else 1.5), note, 7, at="right")
