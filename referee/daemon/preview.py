"""Show what each camera saw last, with the fields drawn on it, to players who doubt that the referee looks right."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.lens import Lens
from calibration.pose import Pose
from calibration.table import TableSetup
from referee.kinds import has_platform, platform
from referee.values.kit import Kit
from vision.assessment.selftest import MarkerSight, frame_sight
from vision.geometry.view import camera_of
from vision.posefinder import PoseFinder

WIDTH_PX = 960
"""Pictures are sent no wider than this."""
JPEG_QUALITY = 80
_LINE, _CASING, _NAME = (0, 230, 255), (0, 0, 0), (255, 255, 255)
_STEPS = 8
"""A line of the grid is drawn in so many pieces, because a lens bends it."""


class LatestPictures:
    """The newest picture of each camera; the drawing over it is made only when somebody asks."""

    def __init__(self, knows: PoseFinder) -> None:
        self._knows = knows
        self._mutex = threading.Lock()
        self._drawing = threading.Lock()
        self._newest: dict[str, NDArray[np.uint8]] = {}
        self._last: dict[str, NDArray[np.uint8]] = {}
        self._drawn: dict[str, bytes] = {}
        self._measured: dict[str, tuple[NDArray[np.uint8], MarkerSight]] = {}

    @property
    def table(self) -> TableSetup:
        """Return the table's measures."""
        return self._knows.table

    def remember(self, pictures: Mapping[str, NDArray[np.uint8]]) -> None:
        """Take in newer pictures."""
        with self._mutex:
            self._newest |= pictures
            self._last |= {camera_of(name): picture for name, picture in pictures.items()}
            for camera in pictures:
                self._drawn.pop(camera, None)

    def newest(self, camera: str) -> NDArray[np.uint8] | None:
        """Return the picture that a camera took last, (h, w, 3) BGR; ``None`` before the first."""
        with self._mutex:
            return self._last.get(camera)

    def sights(self) -> dict[str, MarkerSight]:
        """Return how each camera's newest picture shows the frame; measured once a picture, when somebody asks."""
        with self._mutex:
            newest, measured = dict(self._newest), dict(self._measured)
        for camera, picture in newest.items():
            known = measured.get(camera)
            if known is None or known[0] is not picture:
                measured[camera] = picture, frame_sight(picture, self.table)
        with self._mutex:
            self._measured = measured
        return {camera: sight for camera, (_, sight) in measured.items()}

    def look(self, camera: str) -> bytes | None:
        """Return a JPEG of a camera's newest picture with the fields drawn on it; ``None`` while there is none."""
        with self._mutex:
            picture, drawn = self._newest.get(camera), self._drawn.get(camera)
        if picture is None or drawn is not None:
            return drawn
        with self._drawing:  # one draws it, the others wait for that one
            with self._mutex:
                picture, drawn = self._newest[camera], self._drawn.get(camera)
            if drawn is None:
                drawn = self._draw(camera, picture)
                with self._mutex:
                    if self._newest[camera] is picture:
                        self._drawn[camera] = drawn
            return drawn

    def _draw(self, camera: str, picture: NDArray[np.uint8]) -> bytes:
        shown = picture.copy()
        try:
            view = self._knows.view(picture, camera)
            draw_grid(shown, self._knows.table, view.lens, view.pose)
        except CalibrationError:
            pass  # without the frame there is no grid, and the picture shows why
        return as_jpeg(shown)


class PlainEyes(LatestPictures):
    """Eyes of a kind whose reader takes one look's pictures: they read, and remember the pictures for the page."""

    def __init__(self, reader: Any) -> None:
        super().__init__(reader)
        self._reader = reader

    def read(self, pictures: Mapping[str, NDArray[np.uint8]], *more: Any, **named: Any) -> Any:
        """Read one look at the table, as the reader does."""
        self.remember(pictures)
        return self._reader.read(pictures, *more, **named)


def eyes_of(kit: Kit, reader: PoseFinder) -> LatestPictures:
    """Return what reads as the reader of a kit's kind does, and remembers the pictures."""
    if not has_platform(kit.kind, "eyes"):
        return PlainEyes(reader)
    made: LatestPictures = platform(kit.kind, "eyes").eyes(reader)
    return made


def as_jpeg(picture_bgr: NDArray[np.uint8]) -> bytes:
    """Encode a picture as pages are sent it."""
    scale = min(1.0, WIDTH_PX / picture_bgr.shape[1])
    size = None if scale == 1 else (WIDTH_PX, round(scale * picture_bgr.shape[0]))
    small = picture_bgr if size is None else cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA)
    return cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1].tobytes()


def draw_grid(
    picture_bgr: NDArray[np.uint8],
    table: TableSetup,
    lens: Lens,
    pose: Pose,
    level: int = 0,
    colour: tuple[int, int, int] = _LINE,
) -> None:
    """Draw the lines between the fields at a level of stacks, on the board with the corners' names. BGR."""
    z_mm = level * table.cube_mm[2]
    half_x, half_y = table.half_size_mm
    rows, columns = table.centres_mm().shape[:2]
    thick = max(1, round(picture_bgr.shape[1] / 900))
    across = np.linspace(-half_x, half_x, _STEPS + 1)
    along = np.linspace(-half_y, half_y, _STEPS + 1)
    lines = [np.stack([across, np.full_like(across, y)], 1) for y in np.linspace(-half_y, half_y, rows + 1)]
    lines += [np.stack([np.full_like(along, x), along], 1) for x in np.linspace(-half_x, half_x, columns + 1)]
    for ink, width in ((_CASING, 2 * thick + 2), (colour, 2 * thick)):
        for line in lines:
            cv2.polylines(picture_bgr, [_pixels(line, z_mm, lens, pose)], False, ink, width, cv2.LINE_AA)
    if level:
        return  # the names stand on the board
    for row, column in ((0, 0), (0, columns - 1), (rows - 1, 0), (rows - 1, columns - 1)):
        x, y = _pixels(np.array([table.centre_mm(row, column)]), z_mm, lens, pose)[0]
        name = f"{chr(ord('A') + column)}{row + 1}"
        for ink, width in ((_CASING, 5 * thick), (_NAME, 2 * thick)):
            at = (int(x) - 12 * thick, int(y) + 6 * thick)
            cv2.putText(picture_bgr, name, at, cv2.FONT_HERSHEY_SIMPLEX, 0.7 * thick, ink, width, cv2.LINE_AA)


def _pixels(points_mm: NDArray[np.float64], z_mm: float, lens: Lens, pose: Pose) -> NDArray[np.int32]:
    """Return points (n, 2) at a height above the board's surface in a picture, whole pixels."""
    points = np.concatenate([points_mm, np.full((len(points_mm), 1), z_mm)], axis=1)
    return np.asarray(np.round(pose.project(points, lens)), np.int32).reshape(-1, 2)
