"""Finds the calibration target in a picture: its corners, and how sharp it is.

Two kinds of target: ChArUco boards (every corner has a number, part of the board is enough; Garrido-Jurado and
others, Automatic generation and detection of highly reliable fiducial markers, 2014) and plain chessboards, which
must be seen whole (Duda and Frese, Accurate Detection and Localization of Checkerboard Corners, 2018).
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.sharpness import edge_width_px
from calibration.table import Charuco

MIN_CORNERS, LEAST_CORNERS, LEAST_SHARE = 12, 6, 0.5
"""Fewer corners than the first in a picture say too little about its pose to help; of a board that has few, this
share is enough, but never fewer than the second: a pose has six unknowns."""
DIAGNOSED_PX = 1000
"""Pictures wider than this are made smaller when only the reason is looked for why nothing was found."""
WHITE_ON_BLACK = "the target is white on black: print it black on white, or switch off what inverts the picture"
MIRRORED = "the target is mirrored: switch mirroring off in the camera, or print the target anew"
WINDOW_SHARE = 0.4
"""Largest size of the window of corners' refinement, as a share of the smallest gap between corners: more would take
in the neighbouring corner and pull towards it, less leaves noise in."""
MOST_WINDOW_PX = 11
LEAST_GAP_PX = 5.0
"""A chessboard whose corners lie closer than this is too far away to be measured."""


@dataclass(frozen=True, slots=True)
class Chessboard:
    """A plain chessboard: inner corners (across, down) and a square's side in mm (a lens needs no side)."""

    corners: tuple[int, int]
    square_mm: float = 1.0

    def __post_init__(self) -> None:
        if min(self.corners) < 3 or max(self.corners) > 60:
            raise CalibrationError(f"a chessboard has 3 to 60 inner corners a side, not {self.corners}")
        if not 0 < self.square_mm < 2000:
            raise CalibrationError(f"a chessboard's square has a side of 0 to 2000 mm, not {self.square_mm:g}")


Target = Charuco | Chessboard


def parse_chessboard(text: str) -> Chessboard:
    """Read ``9x6`` (inner corners across and down). Raises CalibrationError saying what to write."""
    found = re.fullmatch(r"\s*(\d{1,3})\s*[xX×]\s*(\d{1,3})\s*", text)
    if found is None:
        raise CalibrationError(
            f"{text[:40]!r} is no chessboard: give its inner corners across and down, such as 9x6 for a board of "
            "10 x 7 squares"
        )
    return Chessboard((int(found[1]), int(found[2])))


@dataclass(frozen=True, eq=False)
class TargetView:
    """The target as one picture shows it.

    ids: (n,) numbers of the corners seen, row by row from 0. target_mm: (n, 3) float32 on the target. seen_px:
    (n, 2) float32. edge_px: how wide its black and white edges are (10 to 90 % is about 0.8 of it), in pixels.
    """

    ids: NDArray[np.intp]
    target_mm: NDArray[np.float32]
    seen_px: NDArray[np.float32]
    edge_px: float


class TargetFinder:
    """Finds one target in pictures. Raises CalibrationError at once for a target that cannot be made."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._charuco = _charuco_detectors(target) if isinstance(target, Charuco) else ()

    @property
    def grid(self) -> tuple[int, int]:
        """Return the inner corners across and down."""
        if isinstance(self.target, Charuco):
            return self.target.squares[0] - 1, self.target.squares[1] - 1
        return self.target.corners

    def find(self, picture: NDArray[np.uint8]) -> TargetView | str:
        """Find the target in one BGR or grey picture. Return why where it cannot be used."""
        grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture, np.uint8)
        found = _find_charuco(grey, self._charuco) if self._charuco else self._find_chessboard(grey)
        if isinstance(found, str):
            return self._named(grey) or found
        ids, target_mm, seen_px = found
        return TargetView(ids, target_mm, seen_px, edge_width_px(grey, ids, seen_px, self.grid, self._plain_share()))

    def _named(self, grey: NDArray[np.uint8]) -> str:
        """Return what is wrong with a target that is there but was not found; empty where none is seen in any way."""
        scale = min(1.0, DIAGNOSED_PX / grey.shape[1])
        small = np.asarray(cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8)
        ways = ((np.asarray(255 - small, np.uint8), WHITE_ON_BLACK), (np.asarray(small[:, ::-1]).copy(), MIRRORED))
        if not self._charuco:
            return ""  # a chessboard looks the same in a mirror, and white squares are black squares
        least = needed_corners(self.grid[0] * self.grid[1])
        return next((why for seen, why in ways if _corner_count(seen, self._charuco[0]) >= least), "")

    def _plain_share(self) -> float:
        """Return the share of a square's side beside an edge that is plain black or white."""
        if isinstance(self.target, Charuco):
            return (self.target.square_mm - self.target.marker_mm) / (2 * self.target.square_mm)
        return 0.45

    def _find_chessboard(
        self, grey: NDArray[np.uint8]
    ) -> tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.float32]] | str:
        assert isinstance(self.target, Chessboard)
        across, down = self.grid
        ok, corners = cv2.findChessboardCornersSB(grey, (across, down), flags=cv2.CALIB_CB_NORMALIZE_IMAGE)
        if not ok or corners is None:  # the older way finds boards whose rim is narrow or in shadow
            older = cv2.CALIB_CB_ADAPTIVE_THRESH | cv2.CALIB_CB_NORMALIZE_IMAGE | cv2.CALIB_CB_FAST_CHECK
            ok, corners = cv2.findChessboardCorners(grey, (across, down), flags=older)
        if not ok or corners is None:
            return "the chessboard is not found: all of it must be seen, with a white rim around it"
        seen = np.asarray(corners, np.float32).reshape(-1, 2)
        mesh = seen.reshape(down, across, 2)
        gap = min(float(np.linalg.norm(np.diff(mesh, axis=axis), axis=2).min()) for axis in (0, 1))
        if gap < LEAST_GAP_PX:
            return "the chessboard is too far away"
        window = int(np.clip(WINDOW_SHARE * gap, 2, MOST_WINDOW_PX))
        criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_COUNT, 60, 0.001)
        fine = cv2.cornerSubPix(grey, np.ascontiguousarray(seen), (window, window), (-1, -1), criteria)
        ids = np.arange(across * down)
        places = np.stack([ids % across, ids // across, np.zeros_like(ids)], axis=1) * self.target.square_mm
        return ids, places.astype(np.float32), np.asarray(fine, np.float32).reshape(-1, 2)


def needed_corners(total: int) -> int:
    """Return how many corners of a board that has ``total`` must be seen."""
    return max(LEAST_CORNERS, min(MIN_CORNERS, math.ceil(LEAST_SHARE * total)))


def _corner_count(grey: NDArray[np.uint8], detector: cv2.aruco.CharucoDetector) -> int:
    ids = detector.detectBoard(grey)[1]
    return 0 if ids is None else len(np.reshape(ids, -1))


def _charuco_detectors(target: Charuco) -> tuple[cv2.aruco.CharucoDetector, ...]:
    """Return a detector of the pattern, and one of the pattern that OpenCV drew before 4.6 where that differs.

    With an even number of rows the old pattern begins with a marker where the new one begins with a black square.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, target.dictionary))
    found = cv2.aruco.DetectorParameters()
    found.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detectors = []
    for old in (False, True) if target.squares[1] % 2 == 0 else (False,):
        try:
            board = cv2.aruco.CharucoBoard(target.squares, target.square_mm, target.marker_mm, dictionary)
        except cv2.error as error:
            raise CalibrationError(f"charuco: {target.squares} squares cannot be made: {error.err}") from None
        board.setLegacyPattern(old)
        detectors.append(cv2.aruco.CharucoDetector(board, cv2.aruco.CharucoParameters(), found))
    return tuple(detectors)


def _find_charuco(
    grey: NDArray[np.uint8], detectors: tuple[cv2.aruco.CharucoDetector, ...]
) -> tuple[NDArray[np.intp], NDArray[np.float32], NDArray[np.float32]] | str:
    detector = detectors[0]
    corners, ids, marker_corners, marker_ids = detector.detectBoard(grey)
    count = 0 if ids is None else len(np.reshape(ids, -1))
    if (
        count == 0 and marker_ids is not None and len(detectors) > 1
    ):  # its markers are there, but not in their squares
        corners, ids, _, _ = detectors[1].detectBoard(grey, None, None, marker_corners, marker_ids)
        count = 0 if ids is None else len(np.reshape(ids, -1))
    if count == 0 or corners is None:
        return "the target is not found"
    least = needed_corners(len(detector.getBoard().getChessboardCorners()))
    if count < least:
        return f"only {count} corners of the target are seen, {least} are needed"
    numbers = np.asarray(ids).reshape(-1).astype(np.intp)
    target_mm = np.asarray(detector.getBoard().getChessboardCorners(), np.float32).reshape(-1, 3)[numbers]
    if np.linalg.matrix_rank(target_mm[:, :2] - target_mm[:, :2].mean(axis=0), tol=1e-3) < 2:
        return "the corners seen all lie on one line"
    return numbers, target_mm, np.asarray(corners, np.float32).reshape(-1, 2)
