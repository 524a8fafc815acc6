"""Solves a camera's lens from pictures of a target, and says how far the result can be trusted.

Solving follows Zhang, A Flexible New Technique for Camera Calibration, 2000. The uncertainty of each parameter is a
jackknife over pictures (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, chapter 11): errors of corners
in one picture hang together (paper waves, refinement is biased), so counting corners would promise too much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.causes import LensCause, likeliest
from calibration.coverage import Coverage, coverage_of
from calibration.errors import CalibrationError
from calibration.focus import FocusShift, Placed, focus_shift
from calibration.lens import Lens, project
from calibration.plausible import AS_PRINTED, LensFault, nonsense, shortcomings, told
from calibration.target import Target, TargetFinder, TargetView

MIN_PICTURES = 4
K3_CAUTION = 4.0
"""Factor on Schwarz's penalty that the third radial term must earn: corners' errors are not quite independent."""
LEAST_TILT_DEG = 10.0
"""Pictures of parallel targets leave focal length and distance open (Zhang): two must be tilted this far apart."""
FIRST_FOCAL = 1.1
"""First guess of the focal length in picture widths: a lens of about 50 degrees."""
BLURRED_PX, BLURRED_TIMES = 4.0, 1.6
"""Edges wider than this, and so many times wider than in other pictures, are blurred. Sharp ones have 2 to 3."""
OUTLIER_TIMES, OUTLIER_PX = 3.0, 0.5
"""A picture whose error is this many times the median, and at least so large, does not fit the others."""
_UNDETERMINED = "the pictures do not determine the lens: tilt the target more between them"
PARAMETERS = ("fx", "fy", "cx", "cy", "k1", "k2", "p1", "p2", "k3")


@dataclass(frozen=True, slots=True)
class LensSolution:
    """A solved lens and how it came about.

    used: names of the pictures used. left_out: (name, reason) of the others. deviations: parameter (PARAMETERS) to
    its standard deviation, in pixels for the first four; k3 is missing where it was not needed. coverage: which part
    of the picture the targets covered. focus: set when the focal length changed between the pictures. fault: what is
    wrong with a lens that may be used all the same, and what to do; empty when nothing is.
    """

    lens: Lens
    used: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...]
    deviations: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    coverage: Coverage | None = None
    focus: FocusShift | None = None
    fault: str = ""


@dataclass(frozen=True, eq=False)
class Shot:
    """The target as one named picture shows it."""

    name: str
    sight: TargetView


def solve_lens(
    pictures: Sequence[tuple[str, NDArray[np.uint8]]], target: Target, fixed_focus: bool = False
) -> LensSolution:
    """Solve a lens from named BGR or grey pictures of the target, in the order in which they were taken.

    Blurred pictures, those that show too little of the target, and those that fit far worse than the others, are
    left out. fixed_focus: the camera can't focus, so its focus is never blamed. Raises CalibrationError when there
    are too few good pictures or their sizes differ.
    """
    size = _common_size(pictures)
    finder = TargetFinder(target)
    shots: list[Shot] = []
    left_out: list[tuple[str, str]] = []
    for name, picture in pictures:
        sight = finder.find(picture)
        if isinstance(sight, str):
            left_out.append((name, sight))
        else:
            shots.append(Shot(name, sight))
    return solve_shots(shots, size, left_out, fixed_focus)


def solve_shots(
    shots: Sequence[Shot], size: tuple[int, int], left_out: Sequence[tuple[str, str]], fixed_focus: bool = False
) -> LensSolution:
    """Solve a lens from targets already found in pictures of (width, height); left_out: those where none was.

    Raises CalibrationError when there are too few good pictures, they do not determine the lens, or what comes out
    is no lens that a camera has.
    """
    sharp, blurred = _without_blur(shots)
    if len(sharp) < MIN_PICTURES:
        bad = [*left_out, *blurred]
        reasons = "; ".join(f"{name}: {why}" for name, why in bad[:3])
        raise CalibrationError(
            f"the target is found in {len(sharp)} of {len(shots) + len(left_out)} pictures, {MIN_PICTURES} are needed"
            + (f" ({reasons})" if reasons else "")
        )
    fit, kept, worse = _solve_without_outliers(sharp, size)
    deviations = _deviations(kept, size, fit)
    coverage = coverage_of([shot.sight.seen_px for shot in kept], size)
    places = [Placed(shot.name, shot.sight, *pose) for shot, pose in zip(kept, fit.poses, strict=True)]
    wrong = list(nonsense(fit.lens, deviations, coverage.share))
    faults = list(shortcomings(fit.lens, deviations, coverage.share))
    focus = None if fixed_focus else focus_shift(places, fit.lens)
    cause = likeliest(places, fit.lens, fixed_focus) if wrong or faults or focus is not None else None
    if (
        cause not in (None, LensCause.FOCUS) and focus is not None
    ):  # what moves or bends looks like a focus that changes
        focus = None
        faults = faults or [LensFault("the pictures do not agree on one focal length", AS_PRINTED)]
    if wrong:
        raise CalibrationError(f"the lens that comes out can't be right, so it is not used: {told(wrong, cause)}")
    return LensSolution(
        fit.lens,
        tuple(shot.name for shot in kept),
        (*left_out, *blurred, *worse),
        deviations,
        coverage,
        focus,
        told(faults, cause) if faults else "",
    )


def _common_size(pictures: Sequence[tuple[str, NDArray[np.uint8]]]) -> tuple[int, int]:
    if not pictures:
        raise CalibrationError("there are no pictures of the calibration target")
    sizes = {name: (int(picture.shape[1]), int(picture.shape[0])) for name, picture in pictures}
    common = Counter(sizes.values()).most_common()
    if len(common) == 1:
        return common[0][0]
    told = ", ".join(f"{width} x {height}" for width, height in sorted(size for size, _ in common))
    odd = [name for name, size in sizes.items() if size != common[0][0]]
    width, height = common[0][0]
    raise CalibrationError(
        f"the pictures differ in size ({told}): {', '.join(odd[:5])}{' and others' if len(odd) > 5 else ''} "
        f"{'is' if len(odd) == 1 else 'are'} not {width} x {height} like the other {common[0][1]}; take all with the "
        "size and zoom used at play"
    )


def _without_blur(shots: Sequence[Shot]) -> tuple[list[Shot], list[tuple[str, str]]]:
    if not shots:
        return [], []
    usual = float(np.median([shot.sight.edge_px for shot in shots]))
    limit = max(BLURRED_PX, BLURRED_TIMES * usual)
    sharp = [shot for shot in shots if shot.sight.edge_px <= limit]
    blurred = [
        (shot.name, f"blurred (edges {shot.sight.edge_px:.1f} px wide, in most pictures {usual:.1f} px)")
        for shot in shots
        if shot.sight.edge_px > limit
    ]
    return sharp, blurred


@dataclass(frozen=True, eq=False)
class _Fit:
    """A lens with the poses (rotation (3, 3), translation (3,)) and rms errors (n,) of the shots it was fitted to."""

    lens: Lens
    poses: list[tuple[NDArray[np.float64], NDArray[np.float64]]]
    errors_px: NDArray[np.float64]
    fixed: int


def _solve_without_outliers(
    shots: list[Shot], size: tuple[int, int]
) -> tuple[_Fit, list[Shot], list[tuple[str, str]]]:
    """Solve, leave out what fits much worse than the rest, solve again; up to 3 rounds."""
    left_out: list[tuple[str, str]] = []
    kept = shots
    fit = _solve(kept, size)
    for _ in range(3):
        usual_px = float(np.median(fit.errors_px))
        bad = fit.errors_px > max(OUTLIER_TIMES * usual_px, OUTLIER_PX)
        if not bad.any() or int((~bad).sum()) < MIN_PICTURES:
            break
        for shot, error_px, wrong in zip(kept, fit.errors_px, bad, strict=True):
            if wrong:
                why = f"fits badly ({error_px:.2f} px, the others about {usual_px:.2f} px)"
                left_out.append((shot.name, why))
        kept = [shot for shot, wrong in zip(kept, bad, strict=True) if not wrong]
        fit = _solve(kept, size)
    return fit, kept, left_out


def _solve(shots: Sequence[Shot], size: tuple[int, int]) -> _Fit:
    """Solve for the lens that fits the shots best.

    The third radial term acts in the picture's corners, where target corners are rare: it is kept only where it
    lowers the error by more than noise would (Schwarz's criterion, as for any added parameter), else it is 0.
    """
    plain = _solve_model(shots, size, cv2.CALIB_FIX_K3)
    full = _solve_model(shots, size, 0)
    numbers = 2 * sum(len(shot.sight.ids) for shot in shots)
    gain = numbers * np.log(max(plain.lens.rms_px, 1e-6) / max(full.lens.rms_px, 1e-6)) * 2
    return full if gain > K3_CAUTION * np.log(numbers) else plain


def _solve_model(shots: Sequence[Shot], size: tuple[int, int], fixed: int, near: Lens | None = None) -> _Fit:
    width, height = size
    focal = FIRST_FOCAL * width
    guess = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1]])
    try:
        rms, matrix, distortion, rotations, shifts = cv2.calibrateCamera(
            [shot.sight.target_mm for shot in shots],
            [shot.sight.seen_px for shot in shots],
            size,
            guess if near is None else near.matrix.copy(),
            np.zeros(5) if near is None else near.distortion.copy(),
            # OpenCV 5 may find a bad minimum without a first guess.
            flags=cv2.CALIB_USE_INTRINSIC_GUESS | fixed,
        )
        lens = Lens(
            size, np.asarray(matrix, np.float64), np.asarray(distortion, np.float64).reshape(-1)[:5], float(rms)
        )
    except (cv2.error, CalibrationError):
        raise CalibrationError(_UNDETERMINED) from None
    poses = []
    errors_px = []
    for shot, rotation, shift in zip(shots, rotations, shifts, strict=True):
        turned = np.asarray(cv2.Rodrigues(np.asarray(rotation, np.float64).reshape(3))[0], np.float64)
        moved = np.asarray(shift, np.float64).reshape(3)
        seen = project(shot.sight.target_mm.astype(np.float64), turned, moved, lens)
        errors_px.append(float(np.sqrt(np.mean(np.sum((seen - shot.sight.seen_px) ** 2, axis=1)))))
        poses.append((turned, moved))
    normals = np.array([rotation[:, 2] for rotation, _ in poses])
    if float((normals @ normals.T).min()) > np.cos(np.radians(LEAST_TILT_DEG)):
        raise CalibrationError(_UNDETERMINED)
    return _Fit(lens, poses, np.array(errors_px), fixed)


def _deviations(shots: Sequence[Shot], size: tuple[int, int], fit: _Fit) -> Mapping[str, float]:
    """Return the standard deviation of every parameter, by solving again without each of the pictures."""
    without = []
    for left_out in range(len(shots)):
        others = [shot for place, shot in enumerate(shots) if place != left_out]
        try:
            without.append(_numbers(_solve_model(others, size, fit.fixed, fit.lens).lens))
        except CalibrationError:  # without this one the others lie in one plane: nothing is known without it
            return MappingProxyType({})
    values = np.array(without)
    spread = np.sqrt((len(values) - 1) * np.mean((values - values.mean(axis=0)) ** 2, axis=0))
    told = {name: float(sd) for name, sd in zip(PARAMETERS, spread, strict=True)}
    if fit.fixed:
        del told["k3"]
    return MappingProxyType(told)


def _numbers(lens: Lens) -> list[float]:
    m = lens.matrix
    return [m[0, 0], m[1, 1], m[0, 2], m[1, 2], *lens.distortion]
