"""Makes views of pictures: each camera's lens, and its pose by the printed frame."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError, PoseError
from calibration.lens import Lens
from calibration.lenses import find_lens, lens_path, target_pictures
from calibration.pose import Pose, find_pose
from calibration.table import TableSetup
from vision.geometry.view import View, camera_of, roams
from vision.reading import CameraView


class PoseFinder:
    """Finds where each camera of one table stands. Lenses are loaded when a camera is first asked for.

    From picture to picture only each camera's last pose is kept, to look for the markers about there first; what is
    found does not depend on it.
    """

    def __init__(self, table: TableSetup, folder: Path, lenses: Mapping[str, Lens] | None = None) -> None:
        """Take a table and its folder. lenses: those that are known already."""
        self.table = table
        self.folder = folder
        self._lenses = dict(lenses or {})
        self._poses: dict[str, Pose] = {}

    def require_lenses(self) -> None:
        """Raise CalibrationError, saying what to do, where no camera of the table was ever calibrated."""
        folder, cameras = self.folder, self.table.cameras
        if not any(lens_path(folder, name).exists() or target_pictures(folder, name) for name in cameras):
            raise CalibrationError(
                f"{folder}: no camera is calibrated: put pictures of the calibration target into "
                f"{folder / 'calibration' / cameras[0]} and so on, then run "
                f"referee calibrate lenses --table {folder}"
            )

    def lens(self, camera: str) -> Lens:
        """Return a camera's lens. Raises CalibrationError for an unknown camera, or one that is not calibrated."""
        if camera not in self.table.cameras:
            raise CalibrationError(f"the table has no camera {camera!r}: it has {', '.join(self.table.cameras)}")
        if camera not in self._lenses:
            self._lenses[camera] = find_lens(self.folder, self.table, camera)
        return self._lenses[camera]

    def views(self, pictures: Mapping[str, NDArray[np.uint8]]) -> tuple[list[View], dict[str, CameraView]]:
        """Return the cameras that see the frame as views, and how each camera saw it.

        pictures: (height, width, 3) BGR by camera, or by their own names where a camera took several from the hand.
        Raises CalibrationError for an unknown or uncalibrated camera and for a picture of another size than its lens.
        """
        views: list[View] = []
        cameras: dict[str, CameraView] = {}
        for camera, picture in pictures.items():
            lens = self.lens(camera_of(camera))
            last = None if roams(camera) else self._poses.get(camera)
            try:
                pose = self._poses[camera] = find_pose(picture, lens, self.table, camera, last)
            except PoseError as error:
                cameras[camera] = CameraView(error.markers, None, str(error))
                continue
            views.append(View(camera, picture, lens, pose))
            cameras[camera] = CameraView(pose.markers, pose.reprojection_px)
        return views, cameras
