"""Solves a lens from the printed frame alone, for pictures of which nothing is known but the table.

Somebody photographed a game with a phone, the frame in view, and nobody photographed the target. The frame's corners
are known in millimetres, so they give the lens as target corners would (Zhang, A Flexible New Technique for Camera
Calibration, 2000) - but they all lie in one plane, near the picture's edges, and often from one side alone. Then
focal length and distance are nearly exchangeable, and the principal point and the third radial term tell nothing. So
pixels are square, and what is left (focal length, principal point, two radial terms, two of decentring) is solved
together with the poses under what cameras usually are (a maximum a posteriori estimate: Triggs and others, Bundle
Adjustment - A Modern Synthesis, 2000, section 2.3). A parameter that the pictures do not tell stays where it usually
is, and is said to be held. Its uncertainty is that of the estimate's Gaussian approximation.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.leastsquares import least_squares
from calibration.lens import Lens, project
from calibration.pose import MIN_MARKERS, solve_pose
from calibration.table import TableSetup

SEEN_PX = 0.4
"""Assumed error of a corner: it is found to about 0.15 px, but the errors of one frame's paper depend on each
other."""
SWELL = 0.05
"""Usual difference of a marker's seen size from its true one, as a share: bright paper swells over dark print."""
USUAL_FOCAL, FOCAL_SPREAD = 0.95, 0.35
"""Focal lengths of phones and webcams in picture widths (the longer side), and their spread as a natural log."""
TOLD_SPREAD = 0.06
"""The same where the EXIF tells the focal length: rounded to a millimetre, and the picture may be cropped."""
CENTRE_SPREAD = 0.008
"""Usual distance of principal points from the middle, as a share of the picture's longer side."""
RADIAL_SPREAD = (0.12, 0.06)
"""Spread of k1 and k2 around 0."""
DECENTRED_SPREAD = 0.001
"""Spread of p1 and p2 around 0. A thousandth moves the principal point that fits without them by five pixels: left
out, many views from all around make a wrong one sure."""
HELD = 0.7
"""A parameter whose spread the pictures lower by less than this factor is held by what is usual, not solved."""
MOST_PICTURES = 30
"""More pictures than this make the solving slow, not better."""
OUTLIER_TIMES, OUTLIER_PX = 3.0, 1.0
SAME_PX = 3.0
"""Pictures whose corners lie this near to another's were taken from the same place: they tell nothing new."""
_LENS, _POSE = 7, 7
_SCALES = (1e-3, 1e-3, 1e-3, 1.0, 1.0, 1.0, 1.0)
"""Steps of a pose's turn (3), shift (3, mm) and swelling that change the errors about alike."""
_STEP = 1e-6
_NAMES = ("focal", "cx", "cy", "k1", "k2", "p1", "p2")


@dataclass(frozen=True, eq=False)
class FrameSight:
    """The frame as one named picture shows it: (4, 2) pixels of each marker seen. size: of the picture, (w, h)."""

    name: str
    size: tuple[int, int]
    seen_px: Mapping[int, NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class FrameLens:
    """A lens solved from the frame.

    deviations: standard deviation of focal, cx, cy (pixels), k1, k2, p1 and p2. held: those of them that the pictures
    hardly tell. used: names of the pictures used; left_out: (name, reason) of the others. rms_px: what is left over.
    """

    lens: Lens
    deviations: Mapping[str, float]
    held: tuple[str, ...]
    used: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...] = field(default=())

    @property
    def rms_px(self) -> float:
        """Return the root mean square of what is left over at the corners, pixels."""
        return self.lens.rms_px


def solve_frame_lens(sights: Sequence[FrameSight], table: TableSetup, focal_px: float | None = None) -> FrameLens:
    """Solve a lens from pictures of the table by one camera at one zoom, all of one size.

    focal_px: what the pictures say of themselves, ``None`` where they say nothing. Raises CalibrationError when fewer
    than three markers are seen in every one of them, or they fit no lens.
    """
    good = [sight for sight in sights if len(set(sight.seen_px) & set(table.markers)) >= MIN_MARKERS]
    left = [(sight.name, "fewer than three of the frame's markers are seen") for sight in sights if sight not in good]
    if not good:
        raise CalibrationError(
            f"the frame's markers are seen in none of {len(sights)} pictures: have the whole frame in view"
        )
    if len({sight.size for sight in good}) > 1:
        raise CalibrationError("the pictures of one lens must be of one size")
    chosen = _spread(good)
    problem = _Problem(chosen, table, focal_px)
    solved = problem.solve()
    errors = problem.errors_px(solved)
    bad = errors > max(OUTLIER_TIMES * float(np.median(errors)), OUTLIER_PX)
    if bad.any() and not bad.all():
        left += [
            (sight.name, f"fits badly ({error:.1f} px)")
            for sight, error, wrong in zip(chosen, errors, bad, strict=True)
            if wrong
        ]
        chosen = [sight for sight, wrong in zip(chosen, bad, strict=True) if not wrong]
        problem = _Problem(chosen, table, focal_px)
        solved = problem.solve()
    deviations = problem.deviations(solved)
    priors = problem.spreads()
    held = tuple(name for name in _NAMES if deviations[name] > HELD * priors[name])
    lens = problem.lens(solved, float(np.sqrt(np.mean(problem.errors_px(solved) ** 2))))
    return FrameLens(lens, deviations, held, tuple(sight.name for sight in chosen), tuple(left))


def turned(lens: Lens) -> Lens:
    """Return the same lens for pictures taken with the camera upright: width and height change places.

    Exact for a lens without tangential distortion and with square pixels; which way it was turned changes only the
    sign of the principal point's distance from the middle, which is taken as none.
    """
    width, height = lens.size
    focal = float(lens.matrix[0, 0])
    matrix = np.array([[focal, 0, (height - 1) / 2], [0, focal, (width - 1) / 2], [0, 0, 1]])
    return Lens((height, width), matrix, lens.distortion, lens.rms_px)


def _spread(sights: Sequence[FrameSight]) -> list[FrameSight]:
    """Return two sights at most from each place, and at most ``MOST_PICTURES``, evenly over what was given."""
    kept: list[FrameSight] = []
    for sight in sights:
        if sum(_same(sight, other) for other in kept) < 2:
            kept.append(sight)
    if len(kept) <= MOST_PICTURES:
        return kept
    return [kept[index] for index in np.linspace(0, len(kept) - 1, MOST_PICTURES).astype(int)]


def _same(one: FrameSight, other: FrameSight) -> bool:
    shared = [number for number in one.seen_px if number in other.seen_px]
    off = [float(np.abs(one.seen_px[number] - other.seen_px[number]).max()) for number in shared]
    return bool(off) and max(off) < SAME_PX and set(one.seen_px) <= set(other.seen_px)


class _Problem:
    """The unknowns in one vector: ln focal, cx, cy, k1, k2, p1, p2 by their priors; each picture's pose, swelling."""

    def __init__(self, sights: Sequence[FrameSight], table: TableSetup, focal_px: float | None) -> None:
        self.size = sights[0].size
        long_px = float(max(self.size))
        self.first_px = focal_px or USUAL_FOCAL * long_px
        self.scale = np.array(
            [
                TOLD_SPREAD if focal_px else FOCAL_SPREAD,
                CENTRE_SPREAD * long_px,
                CENTRE_SPREAD * long_px,
                *RADIAL_SPREAD,
                DECENTRED_SPREAD,
                DECENTRED_SPREAD,
            ]
        )
        self.points = []
        self.seen = []
        for sight in sights:
            numbers = [number for number in sight.seen_px if number in table.markers]
            self.points.append(np.stack([table.markers[number] for number in numbers]))
            self.seen.append(np.stack([sight.seen_px[number] for number in numbers]).astype(np.float64))

    def lens(self, unknowns: NDArray[np.float64], rms_px: float = 0.0) -> Lens:
        """Return the lens that a vector of unknowns stands for."""
        told = unknowns[:_LENS] * self.scale
        focal = self.first_px * math.exp(float(np.clip(told[0], -3, 3)))
        width, height = self.size
        matrix = np.array(
            [[focal, 0, (width - 1) / 2 + told[1]], [0, focal, (height - 1) / 2 + told[2]], [0, 0, 1.0]]
        )
        return Lens(self.size, matrix, np.array([*told[3:7], 0]), rms_px)

    def solve(self) -> NDArray[np.float64]:
        """Solve for the likeliest unknowns. Raises CalibrationError when nothing fits."""
        lens = self.lens(np.zeros(_LENS))
        start = [np.zeros(_LENS)]
        for points, seen in zip(self.points, self.seen, strict=True):
            found = solve_pose(points, seen, lens)
            if found is None:
                raise CalibrationError("the frame's markers fit no camera: is the table.json this table's?")
            turn = np.asarray(cv2.Rodrigues(found[0])[0], np.float64).reshape(3)
            start += [turn, found[1], np.zeros(1)]
        scales = np.concatenate([np.ones(_LENS), np.tile(_SCALES, len(self.points))])
        solved = least_squares(self._residuals, np.concatenate(start), scales, self._groups(), most_rounds=100)
        if not np.isfinite(solved.cost):
            raise CalibrationError("the frame's markers fit no lens: is the table.json this table's?")
        return solved.unknowns

    def errors_px(self, unknowns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the rms error of each picture's corners, (n,) pixels."""
        return np.array([float(np.sqrt(np.mean((part**2).sum(axis=-1)))) for part in self._off_px(unknowns)])

    def spreads(self) -> Mapping[str, float]:
        """Return the usual standard deviation of each parameter, before any picture is looked at."""
        return self._named(self.scale, self.first_px)

    def deviations(self, unknowns: NDArray[np.float64]) -> Mapping[str, float]:
        """Return the standard deviation of each parameter, by the curvature at the solution."""
        jacobian = self._jacobian(unknowns)
        covariance = np.linalg.pinv(jacobian.T @ jacobian)
        focal = float(self.lens(unknowns).matrix[0, 0])
        return self._named(np.sqrt(np.diag(covariance)[:_LENS]) * self.scale, focal)

    def _named(self, spreads: NDArray[np.float64], focal: float) -> Mapping[str, float]:
        told = dict(zip(_NAMES, map(float, spreads), strict=True))
        return MappingProxyType(told | {"focal": told["focal"] * focal})

    def _off_px(self, unknowns: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        lens = self.lens(unknowns)
        off = []
        for pose, points, seen in zip(unknowns[_LENS:].reshape(-1, _POSE), self.points, self.seen, strict=True):
            rotation = np.asarray(cv2.Rodrigues(pose[:3])[0], np.float64)
            middles = points.mean(axis=1, keepdims=True)
            swollen = middles + (points - middles) * (1 + SWELL * pose[6])
            off.append(np.nan_to_num(project(swollen, rotation, pose[3:6], lens) - seen, nan=1e3))
        return off

    def _residuals(self, unknowns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return all errors in units of what is usual for them: corners, the lens, the swelling."""
        seen = [part.ravel() / SEEN_PX for part in self._off_px(unknowns)]
        return np.concatenate([*seen, unknowns[:_LENS], unknowns[_LENS + 6 :: _POSE]])

    def _groups(self) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
        """Group the lens's unknowns one by one; of the pictures, the same unknown of all of them together."""
        counts = [part.size for part in self.seen]
        corners, pictures = sum(counts), len(counts)
        rows = corners + _LENS + pictures
        groups = []
        for unknown in range(_LENS):
            moved_by = np.full(rows, -1, np.intp)
            moved_by[:corners] = unknown
            moved_by[corners + unknown] = unknown
            groups.append((np.array([unknown], np.intp), moved_by))
        first = np.arange(pictures, dtype=np.intp) * _POSE + _LENS
        for part in range(_POSE):
            moved_by = np.full(rows, -1, np.intp)
            moved_by[:corners] = np.repeat(first + part, counts)
            if part == _POSE - 1:
                moved_by[corners + _LENS :] = first + part
            groups.append((first + part, moved_by))
        return groups

    def _jacobian(self, unknowns: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the residuals' derivatives at a solution, by differences."""
        base = self._residuals(unknowns)
        found = np.zeros((base.size, unknowns.size))
        rows = np.arange(base.size)
        for members, moved_by in self._groups():
            moved = unknowns.copy()
            moved[members] += _STEP
            touched = moved_by >= 0
            found[rows[touched], moved_by[touched]] = (self._residuals(moved) - base)[touched] / _STEP
        return found
