"""A camera's lens: how points in front of the camera become pixels (calibration/solve.py finds it).

The model is OpenCV's pinhole with five distortion terms (k1, k2, p1, p2, k3): Brown, Decentering Distortion of
Lenses, 1966.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibration.errors import CalibrationError
from calibration.files import write_atomic

_Finite = Annotated[float, Field(allow_inf_nan=False, ge=-1e6, le=1e6)]
_Row = tuple[_Finite, _Finite, _Finite]


class _LensFile(BaseModel):
    model_config = ConfigDict(extra="forbid")

    size: tuple[Annotated[int, Field(ge=16, le=20000)], Annotated[int, Field(ge=16, le=20000)]]
    matrix: tuple[_Row, _Row, _Row]
    distortion: tuple[_Finite, _Finite, _Finite, _Finite, _Finite]
    rms_px: Annotated[float, Field(ge=0, allow_inf_nan=False)]


@dataclass(frozen=True, eq=False)
class Lens:
    """One camera's lens at one picture size.

    size: (width, height) in pixels of the pictures it holds for. matrix: (3, 3), pixels. distortion: (5,) k1, k2,
    p1, p2, k3. rms_px: what was left over when it was solved. Arrays are locked; nonsense raises CalibrationError.
    """

    size: tuple[int, int]
    matrix: NDArray[np.float64]
    distortion: NDArray[np.float64]
    rms_px: float

    def __post_init__(self) -> None:
        for name, shape in (("matrix", (3, 3)), ("distortion", (5,))):
            array = np.array(getattr(self, name), dtype=np.float64)
            if array.shape != shape or not np.isfinite(array).all():
                raise CalibrationError(f"a lens's {name} has {shape} finite numbers, not {array.shape}")
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        if min(self.matrix[0, 0], self.matrix[1, 1]) <= 0 or np.any(self.matrix[2] != (0, 0, 1)):
            raise CalibrationError("a lens's matrix has positive focal lengths and the last row 0 0 1")

    def check_size(self, picture: NDArray[np.uint8], camera: str = "the camera") -> None:
        """Raise CalibrationError when a picture (height, width, ...) is not of the size the lens was solved at."""
        height, width = picture.shape[:2]
        if (width, height) != self.size:
            raise CalibrationError(
                f"{camera}: the picture is {width} x {height}, but its lens was calibrated at "
                f"{self.size[0]} x {self.size[1]}; set the camera back to that size or calibrate again"
            )


def project(
    points_mm: NDArray[np.float64],
    rotation: NDArray[np.float64],
    translation_mm: NDArray[np.float64],
    lens: Lens,
) -> NDArray[np.float64]:
    """Project table points into a camera's picture.

    points_mm: (..., 3) table axes. rotation (3, 3), translation_mm (3,): table to camera, x_cam = R x + t.
    Returns (..., 2) pixels, x right, y down; nan where a point lies behind the camera.
    Source: Hartley and Zisserman, Multiple View Geometry, 2nd edition, chapter 6; OpenCV's distortion model.
    """
    points = np.asarray(points_mm, dtype=np.float64)
    # Written out: matrix products of many rows by three columns wake up every thread of the linear algebra library.
    a, b, c = points[..., 0], points[..., 1], points[..., 2]
    (x, y, z) = (r[0] * a + r[1] * b + r[2] * c + t for r, t in zip(rotation, translation_mm, strict=True))
    depth = np.where(z > 1e-6, z, np.nan)
    x, y = x / depth, y / depth
    k1, k2, p1, p2, k3 = lens.distortion
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    u = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
    v = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
    across, down = lens.matrix[0], lens.matrix[1]
    return np.stack([across[0] * u + across[1] * v + across[2], down[0] * u + down[1] * v + down[2]], axis=-1)


def undistort_points(points_px: NDArray[np.float64], lens: Lens) -> NDArray[np.float64]:
    """Map pixels (n, 2) of the picture to the pixels of a lens without distortion (same matrix)."""
    points = np.ascontiguousarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
    criteria = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 40, 1e-6)
    done = cv2.undistortPoints(points, lens.matrix, lens.distortion, R=np.eye(3), P=lens.matrix, criteria=criteria)
    return np.asarray(done, dtype=np.float64).reshape(-1, 2)


def save_lens(path: Path, lens: Lens) -> None:
    """Write ``calibration/CAMERA.json`` (formats.md): aside, synced, then renamed. Raises OSError."""
    write_atomic(path, lens_text(lens).encode())


def lens_text(lens: Lens) -> str:
    """Return the content of a lens file."""
    data = {
        "size": list(lens.size),
        "matrix": lens.matrix.tolist(),
        "distortion": lens.distortion.tolist(),
        "rms_px": lens.rms_px,
    }
    return json.dumps(data, indent=1) + "\n"


def plain_lens(focal_px: float, size: tuple[int, int]) -> Lens:
    """Return a lens without distortion that looks through the middle of its pictures."""
    width, height = size
    matrix = np.array([[focal_px, 0, (width - 1) / 2], [0, focal_px, (height - 1) / 2], [0, 0, 1]], np.float64)
    return Lens(size, matrix, np.zeros(5), 0.0)


def load_lens(path: Path) -> Lens:
    """Read a lens file. Raises CalibrationError naming the file and key when it is none."""
    try:
        file = _LensFile.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise CalibrationError(f"{path}: cannot be read: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key = ".".join(map(str, first["loc"]))
        raise CalibrationError(f"{path}: {key}: {first['msg']}; run referee calibrate lenses again") from None
    except (ValueError, RecursionError) as error:
        raise CalibrationError(f"{path}: not JSON: {error}; run referee calibrate lenses again") from None
    try:
        return Lens(file.size, np.array(file.matrix), np.array(file.distortion), file.rms_px)
    except CalibrationError as error:
        raise CalibrationError(f"{path}: {error}; run referee calibrate lenses again") from None
