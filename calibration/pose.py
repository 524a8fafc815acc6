"""Finds where a camera stands: its pose against the printed frame, anew in every picture.

The frame's markers are detected (Garrido-Jurado and others, Automatic generation and detection of highly reliable
fiducial markers, 2014), their corners give the pose (IPPE for the plane they share: Collins and Bartoli,
Infinitesimal Plane-based Pose Estimation, 2014; SQPnP where they do not: Terzakis and Lourakis, 2020), refined on all
corners.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.corners import refine_corners
from calibration.errors import CalibrationError, PoseError
from calibration.lens import Lens, project
from calibration.table import TableSetup
from referee.values.words import say

MIN_MARKERS = 3
"""Two markers give eight corners, but leave nothing to tell a wrong one by, and two on one side let the frame tip."""
CORNER_OFF_PX = 0.8
"""A single corner that lies further off (or 3 times further than the others) is half hidden: its marker stays."""
OUTLIER_PX = 1.5
OUTLIER_TIMES = 4.0
"""A marker whose corners lie further than this, and this many times further than the others', from where the others
put it is not where the table says, or not a marker of this frame."""
MOST_OFF_PX = 12.0
"""No marker may lie further off than this, however badly the others fit."""
ENOUGH_SHARE = 0.75
"""With fewer of the frame's markers than this the picture is looked at again with other contrast."""
LEAST_PERIMETER = 0.015
"""Markers are looked for from this perimeter on, as a share of the picture's longer side."""
_AROUND_PX, _AROUND_SHARE = 24, 0.4
"""Distance around its last place in which a marker is looked for: pixels at least, and as a share of its size."""


@dataclass(frozen=True, eq=False)
class Pose:
    """A camera's pose, from table to camera: x_cam = R x + t.

    rotation: (3, 3), proper. translation_mm: (3,). markers: how many of the frame's markers carry it.
    reprojection_px: rms distance of their corners. Arrays are locked; raises CalibrationError unless rigid.
    """

    rotation: NDArray[np.float64]
    translation_mm: NDArray[np.float64]
    markers: int
    reprojection_px: float

    def __post_init__(self) -> None:
        for name, shape in (("rotation", (3, 3)), ("translation_mm", (3,))):
            array = np.array(getattr(self, name), dtype=np.float64)
            if array.shape != shape or not np.isfinite(array).all():
                raise CalibrationError(f"a pose's {name} has shape {shape} and finite numbers, not {array.shape}")
            array.setflags(write=False)
            object.__setattr__(self, name, array)
        rigid = np.allclose(self.rotation @ self.rotation.T, np.eye(3), atol=1e-6)
        if not rigid or np.linalg.det(self.rotation) < 0:
            raise CalibrationError("a pose's rotation must be a proper rotation")

    @property
    def centre_mm(self) -> NDArray[np.float64]:
        """Return where the camera stands on the table, (3,) mm in table axes."""
        return -self.rotation.T @ self.translation_mm

    def project(self, points_mm: NDArray[np.float64], lens: Lens) -> NDArray[np.float64]:
        """Project table points (..., 3) mm to pixels (..., 2); nan behind the camera."""
        return project(points_mm, self.rotation, self.translation_mm, lens)


def find_pose(
    picture_bgr: NDArray[np.uint8],
    lens: Lens,
    table: TableSetup,
    camera: str = "the camera",
    last: Pose | None = None,
) -> Pose:
    """Find the camera's pose in one picture, (height, width, 3) or grey.

    last: where the camera stood in an earlier picture. The markers are then looked for near their places there, and
    only if fewer than then are found in the whole picture; the pose is the same as without it, and found sooner.
    Raises CalibrationError for a picture of the wrong size, PoseError when fewer than three markers agree.
    """
    lens.check_size(picture_bgr, camera)
    seen_px: dict[int, NDArray[np.float64]] = {}
    if last is not None:
        places = {number: last.project(at, lens) for number, at in table.markers.items()}
        seen_px = find_markers_near(picture_bgr, table, places)
    if last is None or len(seen_px) < max(last.markers, ENOUGH_SHARE * len(table.markers)):
        seen_px = find_markers(picture_bgr, table, lens)
    return pose_from_markers(seen_px, lens, table, camera)


def pose_from_markers(
    seen_px: Mapping[int, NDArray[np.float64]], lens: Lens, table: TableSetup, camera: str = "the camera"
) -> Pose:
    """Find the pose that explains markers seen at (4, 2) pixels each; a wrong marker is found and left out.

    Raises PoseError when fewer than three markers agree on a pose.
    """
    use = {number: corners for number, corners in seen_px.items() if number in table.markers}
    found = len(use)
    while len(use) >= MIN_MARKERS:
        points_mm, corners_px = _arrays(use, table)
        solved = solve_pose(points_mm, corners_px, lens)
        if solved is None:
            break
        worst_px = float(_off_px(points_mm, corners_px, solved, lens).max())
        wrong = _wrong_one(use, lens, table) if worst_px > OUTLIER_PX and len(use) > MIN_MARKERS else None
        if wrong is None and worst_px <= MOST_OFF_PX:
            return _polished(points_mm, corners_px, Pose(*solved, len(use), 0.0), lens)
        if wrong is None:
            break
        use.pop(wrong)
    told = f"the frame can't be seen by {camera}: {found} of its {len(table.markers)} markers are found"
    if found < MIN_MARKERS:
        words = say(
            "{camera} can’t see the frame around the board: {found} of its {all} markers are found, {needed} are "
            "needed.",
            camera=camera,
            found=found,
            all=len(table.markers),
            needed=MIN_MARKERS,
        )
        raise PoseError(f"{told}, {MIN_MARKERS} are needed", found, words)
    words = say(
        "{camera} sees the frame, but not where it was when the table was set up: set up and check the table again.",
        camera=camera,
    )
    told = f"{told}, but not where table.json and the camera's lens put them: correct one of them"
    raise PoseError(told, found, words)


def _polished(points_mm: NDArray[np.float64], corners_px: NDArray[np.float64], first: Pose, lens: Lens) -> Pose:
    """Solve again from (n, 4, 3) and (n, 4, 2), with two things allowed for.

    Bright paper swells over dark print, so all markers look smaller by one factor; and single corners may be half
    hidden. The error told is that of the corners kept, against the swollen frame.
    """
    pose = first
    keep = np.ones(corners_px.shape[:2], np.bool_)
    middles_mm = points_mm.mean(axis=1, keepdims=True)
    swollen_mm = points_mm
    for _ in range(2):
        ideal = pose.project(points_mm, lens)
        arms = ideal - pose.project(middles_mm, lens)
        factors = ((corners_px - pose.project(middles_mm, lens)) * arms).sum(axis=-1) / (arms**2).sum(axis=-1)
        swollen_mm = middles_mm + (points_mm - middles_mm) * float(np.clip(np.median(factors), 0.85, 1.15))
        off_px = np.linalg.norm(pose.project(swollen_mm, lens) - corners_px, axis=-1)
        keep = off_px <= max(CORNER_OFF_PX, 3 * float(np.median(off_px)))
        solved = solve_pose(swollen_mm[keep], corners_px[keep], lens)
        if solved is None:
            break
        pose = Pose(*solved, first.markers, 0.0)
    off_px = np.linalg.norm(pose.project(swollen_mm, lens) - corners_px, axis=-1)[keep]
    return Pose(pose.rotation, pose.translation_mm, first.markers, float(np.sqrt(np.mean(off_px**2))))


def find_markers(
    picture_bgr: NDArray[np.uint8], table: TableSetup, lens: Lens | None = None
) -> dict[int, NDArray[np.float64]]:
    """Find the frame's markers in one picture: id to (4, 2) pixels in ArUco's order, refined below a pixel.

    A marker seen twice is dropped. Dim, pale and blurred pictures are looked at again with stretched contrast: where
    the lens is known and the markers found make a pose, only about the places of the others, which finds the same.
    """
    if not table.markers:
        return {}
    grey = _grey(picture_bgr)
    detector = _detector(table, LEAST_PERIMETER)
    found = _detect(grey, detector, table)
    for look in (_stretch, _equalise):
        if len(found) >= ENOUGH_SHARE * len(table.markers):
            break
        missing = _missing_px(found, table, lens)
        again = _detect(look(grey), detector, table) if missing is None else _near(look(grey), table, missing)
        found |= {number: at for number, at in again.items() if number not in found}
    return found


def _missing_px(
    found: Mapping[int, NDArray[np.float64]], table: TableSetup, lens: Lens | None
) -> dict[int, NDArray[np.float64]] | None:
    """Return where the markers that were not found must lie, (4, 2) pixels each; ``None`` where that is not known."""
    if lens is None or len(found) < MIN_MARKERS:
        return None
    try:
        pose = pose_from_markers(found, lens, table)
    except PoseError:
        return None
    return {number: pose.project(at, lens) for number, at in table.markers.items() if number not in found}


def find_markers_near(
    picture_bgr: NDArray[np.uint8], table: TableSetup, places_px: Mapping[int, NDArray[np.float64]]
) -> dict[int, NDArray[np.float64]]:
    """Find the markers near where they are expected, (4, 2) pixels each: as ``find_markers``, in cut-outs."""
    return _near(_grey(picture_bgr), table, places_px)


def _near(
    grey: NDArray[np.uint8], table: TableSetup, places_px: Mapping[int, NDArray[np.float64]]
) -> dict[int, NDArray[np.float64]]:
    size = np.array(grey.shape[::-1])
    found: dict[int, NDArray[np.float64]] = {}
    for number, expected in places_px.items():
        if not np.isfinite(expected).all():
            continue
        around = max(_AROUND_PX, _AROUND_SHARE * float(np.ptp(expected, axis=0).max()))
        low = np.clip(expected.min(axis=0) - around, 0, size).astype(int)
        high = np.clip(expected.max(axis=0) + around + 1, 0, size).astype(int)
        if (high - low < 2 * _AROUND_PX).any():
            continue
        cut = np.ascontiguousarray(grey[low[1] : high[1], low[0] : high[0]])
        detector = _detector(table, LEAST_PERIMETER * float(size.max()) / float((high - low).max()))
        corners, ids, _ = detector.detectMarkers(cut)
        at = [] if ids is None else [c for c, n in zip(corners, np.reshape(ids, -1), strict=True) if n == number]
        if len(at) == 1:
            found[number] = refine_corners(grey, np.asarray(at[0], np.float64).reshape(4, 2) + low)
    return found


def _grey(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture, np.uint8)


def _detector(table: TableSetup, least_perimeter: float) -> cv2.aruco.ArucoDetector:
    """Return a detector of the table's markers; least_perimeter is a share of the longer side of its pictures."""
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.cornerRefinementWinSize = 5
    settings.cornerRefinementMaxIterations = 60
    settings.cornerRefinementMinAccuracy = 0.005
    settings.minMarkerPerimeterRate = least_perimeter
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, table.marker_dictionary))
    return cv2.aruco.ArucoDetector(dictionary, settings)


def _detect(
    grey: NDArray[np.uint8], detector: cv2.aruco.ArucoDetector, table: TableSetup
) -> dict[int, NDArray[np.float64]]:
    corners, ids, _ = detector.detectMarkers(grey)
    if ids is None or not len(corners):
        return {}
    numbers = [int(number) for number in np.asarray(ids).reshape(-1)]
    return {
        number: refine_corners(grey, np.asarray(at, np.float64).reshape(4, 2))
        for number, at in zip(numbers, corners, strict=True)
        if number in table.markers and numbers.count(number) == 1
    }


def _stretch(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Spread the middle 98 % of the greys over the whole range."""
    low, high = np.percentile(grey, (1, 99))
    spread = (grey.astype(np.float32) - float(low)) * (255.0 / max(float(high - low), 1.0))
    return np.asarray(np.clip(spread, 0, 255), np.uint8)


def _equalise(grey: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Raise local contrast (CLAHE), then sharpen the picture slightly."""
    even = cv2.createCLAHE(clipLimit=4.0, tileGridSize=(8, 8)).apply(grey)
    soft = cv2.GaussianBlur(even, (0, 0), 2.0)
    return np.asarray(cv2.addWeighted(even, 1.8, soft, -0.8, 0), np.uint8)


def solve_pose(
    points_mm: NDArray[np.float64], corners_px: NDArray[np.float64], lens: Lens
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """Solve for rotation (3, 3) and translation (3,) that fit (..., 3) to (..., 2); ``None`` when no pose does."""
    points_mm, corners_px = points_mm.reshape(-1, 3), corners_px.reshape(-1, 2)
    flat = np.ptp(points_mm[:, 2]) < 1e-6
    method = cv2.SOLVEPNP_IPPE if flat else cv2.SOLVEPNP_SQPNP
    origin = points_mm.mean(axis=0) if flat else np.zeros(3)
    local = np.ascontiguousarray(points_mm - origin)
    try:
        count, turns, shifts, _ = cv2.solvePnPGeneric(local, corners_px, lens.matrix, lens.distortion, flags=method)
    except cv2.error:
        return None
    best: tuple[float, NDArray[np.float64], NDArray[np.float64]] | None = None
    for turn, shift in list(zip(turns, shifts, strict=True))[: int(count)]:
        turn, shift = cv2.solvePnPRefineLM(local, corners_px, lens.matrix, lens.distortion, turn, shift)
        rotation = np.asarray(cv2.Rodrigues(np.asarray(turn, np.float64).reshape(3))[0], np.float64)
        translation = np.asarray(shift, np.float64).reshape(3)
        off = project(local, rotation, translation, lens) - corners_px
        error = float(np.mean(off**2))
        if np.isfinite(error) and (best is None or error < best[0]):
            best = error, rotation, translation - rotation @ origin
    return None if best is None else best[1:]


def _arrays(
    use: Mapping[int, NDArray[np.float64]], table: TableSetup
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where the markers lie on the table, (n, 4, 3) mm, and in the picture, (n, 4, 2) pixels."""
    return np.stack([table.markers[number] for number in use]), np.stack(list(use.values()))


def _off_px(
    points_mm: NDArray[np.float64],
    corners_px: NDArray[np.float64],
    solved: tuple[NDArray[np.float64], NDArray[np.float64]],
    lens: Lens,
) -> NDArray[np.float64]:
    """Return how far each marker lies from where a pose puts it, (n,) pixels, mean over its corners.

    It is huge behind the camera.
    """
    off = np.linalg.norm(project(points_mm, *solved, lens) - corners_px, axis=-1)
    return np.asarray(np.nan_to_num(off, nan=1e6).mean(axis=1), np.float64)


def _wrong_one(use: Mapping[int, NDArray[np.float64]], lens: Lens, table: TableSetup) -> int | None:
    """Return the marker without which the others agree best, if it lies far from where they put it, or ``None``.

    A wrong marker bends the pose of all, so the largest error alone does not tell which one it is.
    """
    best: tuple[float, int, float] | None = None
    for left_out in use:
        points_mm, corners_px = _arrays({number: at for number, at in use.items() if number != left_out}, table)
        solved = solve_pose(points_mm, corners_px, lens)
        if solved is None:
            continue
        others_px = _off_px(points_mm, corners_px, solved, lens)
        own_px = _off_px(table.markers[left_out][None], use[left_out][None], solved, lens)
        if best is None or float(np.mean(others_px**2)) < best[0]:
            limit_px = max(OUTLIER_PX, OUTLIER_TIMES * float(np.median(others_px)))
            best = float(np.mean(others_px**2)), left_out, float(own_px[0]) - limit_px
    return best[1] if best is not None and best[2] > 0 else None
