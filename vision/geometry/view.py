"""One camera's look at the table: picture, lens and pose, ready for everything that reads it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.pose import Pose


@dataclass(frozen=True, eq=False)
class View:
    """A picture whose camera knows where it stands.

    camera: its name in table.json. picture_bgr: (height, width, 3) uint8. lens: solved at this picture size.
    pose: from table to camera, found in this picture.
    """

    camera: str
    picture_bgr: NDArray[np.uint8]
    lens: Lens
    pose: Pose

    def project(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        """Project table points (..., 3) mm to pixels (..., 2); nan where a point lies behind the camera."""
        return self.pose.project(points_mm, self.lens)
