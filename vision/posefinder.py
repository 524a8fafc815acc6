"""Makes views of pictures: each camera's lens, and its pose by the printed frame or by the board itself."""

from __future__ import annotations

import weakref
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.boardfinder import BoardFinder
from calibration.errors import CalibrationError, NoLensError, PoseError
from calibration.lens import Lens
from calibration.lenses import find_lens, how_to_calibrate, lens_path, target_pictures
from calibration.masked import Outline
from calibration.pose import Pose, find_pose
from calibration.table import TableSetup
from referee.values.words import Words, say
from vision.geometry.kept import Space, outline_of, spaces_over, tallest_mm
from vision.geometry.view import View, camera_of, roams
from vision.reading import CameraView

BRIGHTEST = 45.0
"""Of 255: a picture without a frame in it is called dark where hardly anything is brighter. Paper so dark fails the
table's certificate (``PAPER`` in referee/certificate/judge.py)."""
_NEXT_TO_ALL = 98
_MOST_PLACED = 32
"""Pictures of which is kept where they were taken from: those of a look, and some that came meanwhile."""


class PoseFinder:
    """Finds where each camera of one table stands. Lenses are loaded when a camera is first asked for.

    From picture to picture each camera's last pose is kept, to look for the markers about there first, and the last
    view, for a picture from the hand is looked through before it is read. What is found does not depend on either.
    """

    def __init__(self, table: TableSetup, folder: Path, lenses: Mapping[str, Lens] | None = None) -> None:
        """Take a table and its folder. lenses: those that are known already."""
        self.table = table
        self.folder = folder
        self._lenses = dict(lenses or {})
        self._poses: dict[str, Pose] = {}
        self._newest: View | None = None
        self.board = None if table.board is None else BoardFinder(table, folder)
        """Finds the board of a table without a printed frame."""
        self._placed_before: deque[tuple[weakref.ref[NDArray[np.uint8]], Lens, Pose]] = deque(maxlen=_MOST_PLACED)

    def resize_board(self, size_mm: tuple[float, float]) -> None:
        """Learn how large a bare board is, before anything is read of it."""
        assert self.table.board is not None
        self.table = replace(self.table, board=replace(self.table.board, size_mm=size_mm))
        self.board = BoardFinder(self.table, self.folder)

    def board_scale(self, view: View) -> float:
        """Return the factor by which a bare board is larger than told, by its set-up: here 1.0, not known."""
        return 1.0

    def require_lenses(self) -> None:
        """Raise NoLensError, saying what to do, where no camera of the table was ever calibrated.

        A table without a printed frame needs no lens, but somebody must have shown its board: CalibrationError.
        """
        if self.board is not None:
            self.board.require_touches()
            return
        folder, cameras = self.folder, self.table.cameras
        if not any(lens_path(folder, name).exists() or target_pictures(folder, name) for name in cameras):
            advice = how_to_calibrate(folder, self.table, cameras[0])
            raise NoLensError(f"{folder}: no camera is calibrated: {advice}")

    def lens(self, camera: str) -> Lens:
        """Return a camera's lens. Raises CalibrationError for an unknown camera, or one that is not calibrated."""
        if camera not in self.table.cameras and camera not in self._lenses:
            raise CalibrationError(f"the table has no camera {camera!r}: it has {', '.join(self.table.cameras)}")
        if camera not in self._lenses and self.board is not None:
            return self.board.lens(camera)
        if camera not in self._lenses:
            self._lenses[camera] = find_lens(self.folder, self.table, camera)
        return self._lenses[camera]

    def know(self, camera: str, lens: Lens) -> None:
        """Learn a lens, of a camera that ``table.json`` need not name. May be called from any thread."""
        self._lenses[camera] = lens

    def learn_place(self, picture: NDArray[np.uint8], lens: Lens, pose: Pose) -> None:
        """Learn where a picture was taken from, so that it is not looked for again. May be called from any thread."""
        self._placed_before.append((weakref.ref(picture), lens, pose))

    def views(self, pictures: Mapping[str, NDArray[np.uint8]]) -> tuple[list[View], dict[str, CameraView]]:
        """Return the cameras that see the frame as views, and how each camera saw it.

        pictures: (height, width, 3) BGR by camera, or by their own names where a camera took several from the hand.
        Raises CalibrationError for an unknown or uncalibrated camera and for a picture of another size than its lens.
        """
        views: list[View] = []
        cameras: dict[str, CameraView] = {}
        for camera, picture in pictures.items():
            try:
                view = self.view(picture, camera)
            except PoseError as error:
                cameras[camera] = CameraView(error.markers, None, _dark(camera, picture) or error.words)
                continue
            views.append(view)
            cameras[camera] = CameraView(view.pose.markers, view.pose.reprojection_px, outline=self.outline(view))
        return views, cameras

    @property
    def spaces(self) -> tuple[Space, ...]:
        """Return the spaces over the frame and the board into which this reader looks."""
        return spaces_over(self.table, tallest_mm(self.table))

    def outline(self, view: View) -> Outline:
        """Return the outline of all that this reader looks at in a picture: nothing else of it is kept."""
        return outline_of(self.spaces, view.pose, view.lens)

    def view(self, picture: NDArray[np.uint8], name: str) -> View:
        """Return a picture, (height, width, 3) BGR, as a view. name: its camera's or its own.

        Raises PoseError where it does not show the frame, and CalibrationError as ``views`` does.
        """
        known = self._newest
        if known is not None and known.picture_bgr is picture and camera_of(known.camera) == camera_of(name):
            return replace(known, camera=name)
        self._newest = View(name, picture, *self._placed(picture, name))
        return self._newest

    def _placed(self, picture: NDArray[np.uint8], name: str) -> tuple[Lens, Pose]:
        """Return a picture's lens and pose: by the board itself where it has no printed frame, by the frame else."""
        for known, lens, pose in tuple(self._placed_before):
            if known() is picture:
                return lens, pose
        if self.board is not None:
            return self.board.placed(picture, camera_of(name), name)
        lens = self.lens(camera_of(name))
        last = None if roams(name) or name in self.table.held else self._poses.get(name)
        self._poses[name] = find_pose(picture, lens, self.table, name, last)
        return lens, self._poses[name]


def _dark(camera: str, picture_bgr: NDArray[np.uint8]) -> Words | None:
    """Return a sentence where a picture, (height, width, 3), is dark; a few thousand pixels are looked at."""
    if float(np.percentile(picture_bgr[::8, ::8].mean(axis=2), _NEXT_TO_ALL)) >= BRIGHTEST:
        return None
    return say("{camera}’s picture is dark: give it light, and uncover its lens.", camera=camera)
