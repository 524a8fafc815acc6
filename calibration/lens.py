"""A camera's lens: how points before the camera become pixels, and how that is solved from target pictures.

The model is OpenCV's pinhole with five distortion terms (k1, k2, p1, p2, k3): Brown, Decentering Distortion of
Lenses, 1966; solving follows Zhang, A Flexible New Technique for Camera Calibration, 2000.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from calibration.errors import CalibrationError
from calibration.files import write_atomic
from calibration.table import Charuco

_Finite = Annotated[float, Field(allow_inf_nan=False, ge=-1e6, le=1e6)]
_Row = tuple[_Finite, _Finite, _Finite]

MIN_PICTURES = 4
MIN_CORNERS = 12
"""Fewer corners than this in a picture say too little about its pose to help."""
K3_CAUTION = 4.0
"""How many times Schwarz's penalty the third radial term must earn: errors of corners are not quite independent."""
LEAST_TILT_DEG = 10.0
"""Pictures of parallel targets leave focal length and distance open (Zhang): two must be tilted this far apart."""
FIRST_FOCAL = 1.1
"""First guess of the focal length in picture widths: a lens of about 50 degrees."""
_UNDETERMINED = "the pictures do not determine the lens: tilt the target more between them"


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


@dataclass(frozen=True, slots=True)
class LensSolution:
    """A solved lens and how it came about: names of pictures used, and (name, reason) of those left out."""

    lens: Lens
    used: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]


@dataclass(frozen=True, eq=False)
class _Shot:
    """The target as one picture shows it: (n, 3) float32 mm on the target, (n, 2) float32 px."""

    name: str
    target_mm: NDArray[np.float32]
    seen_px: NDArray[np.float32]


def solve_lens(pictures: Sequence[tuple[str, NDArray[np.uint8]]], target: Charuco) -> LensSolution:
    """Solve a lens from named BGR or grey pictures of the ChArUco target.

    Pictures that show too little of the target, and those that fit far worse than the others, are left out.
    Raises CalibrationError when there are too few good pictures or their sizes differ.
    """
    if not pictures:
        raise CalibrationError("there are no pictures of the calibration target")
    sizes = {(int(picture.shape[1]), int(picture.shape[0])) for _, picture in pictures}
    if len(sizes) > 1:
        told = ", ".join(f"{width} x {height}" for width, height in sorted(sizes))
        raise CalibrationError(f"the pictures differ in size ({told}): take all with the size used at play")
    size = sizes.pop()
    detector = _detector(target)
    shots: list[_Shot] = []
    left_out: list[tuple[str, str]] = []
    for name, picture in pictures:
        shot = _find_target(name, picture, detector)
        if isinstance(shot, str):
            left_out.append((name, shot))
        else:
            shots.append(shot)
    if len(shots) < MIN_PICTURES:
        reasons = "; ".join(f"{name}: {why}" for name, why in left_out[:3])
        raise CalibrationError(
            f"the target is found in {len(shots)} of {len(pictures)} pictures, {MIN_PICTURES} are needed"
            + (f" ({reasons})" if reasons else "")
        )
    lens, kept, worse = _solve_without_outliers(shots, size)
    return LensSolution(lens, tuple(shot.name for shot in kept), (*left_out, *worse))


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
    """Pixels (n, 2) of the picture to the pixels (n, 2) a lens without distortion would give (same matrix)."""
    points = np.ascontiguousarray(points_px, dtype=np.float64).reshape(-1, 1, 2)
    criteria = (cv2.TERM_CRITERIA_COUNT + cv2.TERM_CRITERIA_EPS, 40, 1e-6)
    done = cv2.undistortPoints(points, lens.matrix, lens.distortion, R=np.eye(3), P=lens.matrix, criteria=criteria)
    return np.asarray(done, dtype=np.float64).reshape(-1, 2)


def save_lens(path: Path, lens: Lens) -> None:
    """Write ``calibration/CAMERA.json`` (formats.md): aside, synced, then renamed. Raises OSError."""
    data = {
        "size": list(lens.size),
        "matrix": lens.matrix.tolist(),
        "distortion": lens.distortion.tolist(),
        "rms_px": lens.rms_px,
    }
    write_atomic(path, (json.dumps(data, indent=1) + "\n").encode())


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


def _detector(target: Charuco) -> cv2.aruco.CharucoDetector:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, target.dictionary))
    try:
        board = cv2.aruco.CharucoBoard(target.squares, target.square_mm, target.marker_mm, dictionary)
    except cv2.error as error:
        raise CalibrationError(f"charuco: {target.squares} squares cannot be made: {error.err}") from None
    found = cv2.aruco.DetectorParameters()
    found.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    return cv2.aruco.CharucoDetector(board, cv2.aruco.CharucoParameters(), found)


def _find_target(name: str, picture: NDArray[np.uint8], detector: cv2.aruco.CharucoDetector) -> _Shot | str:
    """The target in one picture, or why it cannot be used."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture
    corners, ids, _, _ = detector.detectBoard(grey)
    count = 0 if ids is None else len(np.reshape(ids, -1))
    if count == 0 or corners is None:
        return "the target is not found"
    if count < MIN_CORNERS:
        return f"only {count} corners of the target are seen, {MIN_CORNERS} are needed"
    numbers = np.asarray(ids).reshape(-1)
    target_mm = np.asarray(detector.getBoard().getChessboardCorners(), np.float32).reshape(-1, 3)[numbers]
    if np.linalg.matrix_rank(target_mm[:, :2] - target_mm[:, :2].mean(axis=0), tol=1e-3) < 2:
        return "the corners seen all lie on one line"
    return _Shot(name, target_mm, np.asarray(corners, np.float32).reshape(-1, 2))


def _solve_without_outliers(
    shots: list[_Shot], size: tuple[int, int]
) -> tuple[Lens, list[_Shot], list[tuple[str, str]]]:
    """Solve, leave out what fits much worse than the rest (3 times the median error), solve again; up to 3 rounds."""
    left_out: list[tuple[str, str]] = []
    kept = shots
    lens, errors_px = _solve(kept, size)
    for _ in range(3):
        limit_px = max(3 * float(np.median(errors_px)), 0.5)
        bad = errors_px > limit_px
        if not bad.any() or int((~bad).sum()) < MIN_PICTURES:
            break
        for shot, error_px in zip(kept, errors_px, strict=True):
            if error_px > limit_px:
                left_out.append(
                    (shot.name, f"fits badly ({error_px:.2f} px, the others about {limit_px / 3:.2f} px)")
                )
        kept = [shot for shot, wrong in zip(kept, bad, strict=True) if not wrong]
        lens, errors_px = _solve(kept, size)
    return lens, kept, left_out


def _solve(shots: list[_Shot], size: tuple[int, int]) -> tuple[Lens, NDArray[np.float64]]:
    """The lens that fits the shots best and each shot's rms in pixels.

    The third radial term acts in the picture's corners, where target corners are rare: it is kept only where it
    lowers the error by more than noise would (Schwarz's criterion, as for any added parameter), else it is 0.
    """
    plain, plain_px = _solve_model(shots, size, cv2.CALIB_FIX_K3)
    full, full_px = _solve_model(shots, size, 0)
    numbers = 2 * sum(len(shot.seen_px) for shot in shots)
    gain = numbers * np.log(max(plain.rms_px, 1e-6) / max(full.rms_px, 1e-6)) * 2
    return (full, full_px) if gain > K3_CAUTION * np.log(numbers) else (plain, plain_px)


def _solve_model(shots: list[_Shot], size: tuple[int, int], fixed: int) -> tuple[Lens, NDArray[np.float64]]:
    width, height = size
    focal = FIRST_FOCAL * width
    guess = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    try:
        rms, matrix, distortion, rotations, shifts = cv2.calibrateCamera(
            [shot.target_mm for shot in shots],
            [shot.seen_px for shot in shots],
            size,
            guess,
            np.zeros(5),
            flags=cv2.CALIB_USE_INTRINSIC_GUESS | fixed,
        )
        lens = Lens(
            size, np.asarray(matrix, np.float64), np.asarray(distortion, np.float64).reshape(-1)[:5], float(rms)
        )
    except (cv2.error, CalibrationError):
        raise CalibrationError(_UNDETERMINED) from None
    errors_px, normals = [], []
    for shot, rotation, shift in zip(shots, rotations, shifts, strict=True):
        turned = cv2.Rodrigues(np.asarray(rotation, np.float64).reshape(3))[0]
        seen = project(
            shot.target_mm.astype(np.float64),
            np.asarray(turned, np.float64),
            np.asarray(shift, np.float64).reshape(3),
            lens,
        )
        errors_px.append(float(np.sqrt(np.mean(np.sum((seen - shot.seen_px) ** 2, axis=1)))))
        normals.append(turned[:, 2])
    cosines = np.array(normals) @ np.array(normals).T
    if float(cosines.min()) > np.cos(np.radians(LEAST_TILT_DEG)):
        raise CalibrationError(_UNDETERMINED)
    return lens, np.array(errors_px)
