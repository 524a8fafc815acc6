"""The printed frame as it was really laid: its layout in ``table.json`` corrected by what the cameras see.

Strips of paper are laid by hand, a millimetre off here and there, and a millimetre in the layout is a millimetre in
the cameras' places. The shape of the frame comes from the pictures (bundle.py). Where it lies on the table, which no
picture of it shows, comes from the layout given:

- *scale*: the layout's distances, together with the markers' size;
- *height and tilt*: the layout's mean height; paper on a table top is level with the board;
- *place and turn*: the best fit to the layout given, in which a strip laid badly weighs little. A frame is laid
  around the board: as far right as left of its middle, its sides along the board's edges. Where the layout given says
  so too, but for errors no larger than its other ones, the frame is taken as centred and straight; where the layout
  plainly lies elsewhere, it stands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.bundle import Bundle, MarkerObservation, adjust
from calibration.errors import CalibrationError
from calibration.lens import Lens
from calibration.pose import MIN_MARKERS, find_markers, solve_pose
from calibration.table import TableSetup

MOST_PICTURES = 40
"""More pictures take longer and add nothing: two cameras that stand still see the same again."""
MOST_MOVED_MM = 15.0
"""A marker this far from its place was laid in another one's, or the lens is not this camera's."""
MOST_RMS_PX = 1.5
"""Pictures that fit worse than this do not show one rigid frame."""
CENTRED = 16.27
"""Chi squared with three degrees of freedom, 99.9 %: errors of this size happen to a centred layout."""
_LEAST_ERROR_MM = 0.02
_ROUNDS = 30
_USUAL = 2.0
"""Corners off by more than so many times the median weigh less (Huber)."""
_ALONG_DEG = 3.0


@dataclass(frozen=True, eq=False)
class FrameFit:
    """The frame measured.

    markers: id to (4, 3) corners in mm, all of the frame's; unseen: those that no picture shows, left as they were.
    moved_mm: how far each marker's middle lies from where it was thought. rms_px: what is left over in the pictures.
    centred: whether the frame was taken as centred on the board. pictures: how many were used.
    """

    markers: Mapping[int, NDArray[np.float64]]
    unseen: tuple[int, ...]
    moved_mm: Mapping[int, float]
    rms_px: float
    centred: bool
    pictures: int


def sight_frame(picture: NDArray[np.uint8], lens: Lens, table: TableSetup, camera: str) -> MarkerObservation | None:
    """Read what one picture, (h, w, 3) BGR or (h, w) grey, shows of the frame; ``None`` with too few markers.

    Raises CalibrationError for a picture of another size than the lens's.
    """
    lens.check_size(picture, camera)
    return sighting(find_markers(picture, table), lens, table)


def sighting(seen_px: Mapping[int, NDArray[np.float64]], lens: Lens, table: TableSetup) -> MarkerObservation | None:
    """Return markers seen at (4, 2) pixels each and the pose they suggest; ``None`` when they suggest none."""
    seen = {number: at for number, at in seen_px.items() if number in table.markers}
    if len(seen) < MIN_MARKERS:
        return None
    points_mm = np.stack([table.markers[number] for number in seen]).copy()
    points_mm[..., 2] = points_mm[..., 2].mean()
    solved = solve_pose(points_mm, np.stack(list(seen.values())), lens)
    return None if solved is None else MarkerObservation(lens, *solved, seen)


def refine_frame(sightings: Sequence[MarkerObservation], table: TableSetup) -> FrameFit:
    """Find where the frame's markers lie, from pictures of all cameras.

    Raises CalibrationError when there are too few pictures, when they do not fit one frame, and when a marker lies
    nowhere near its place.
    """
    if not sightings:
        raise CalibrationError("the frame is seen in none of the pictures: at least three of its markers must be")
    used = _spread(sightings)
    bundle = adjust(used, table.markers, table.marker_size_mm)
    laid, centred = _settled(bundle.corners_mm, table.markers)
    moved = {n: float(np.linalg.norm((at - table.markers[n]).mean(axis=0))) for n, at in laid.items()}
    _check(bundle, moved)
    unseen = tuple(number for number in table.markers if number not in laid)
    markers = {number: laid.get(number, at) for number, at in table.markers.items()}
    return FrameFit(markers, unseen, moved, bundle.rms_px, centred, len(used))


def _spread(sightings: Sequence[MarkerObservation]) -> list[MarkerObservation]:
    """Return at most ``MOST_PICTURES``, those with most markers, spread evenly over what was given."""
    if len(sightings) <= MOST_PICTURES:
        return list(sightings)
    median = float(np.median([len(sighting.seen_px) for sighting in sightings]))
    good = [sighting for sighting in sightings if len(sighting.seen_px) >= median]
    return [good[index] for index in np.linspace(0, len(good) - 1, min(MOST_PICTURES, len(good))).astype(int)]


def _check(bundle: Bundle, moved: Mapping[int, float]) -> None:
    far = {number: mm for number, mm in moved.items() if mm > MOST_MOVED_MM}
    if far:
        told = ", ".join(f"{number} ({mm:.0f} mm)" for number, mm in sorted(far.items()))
        raise CalibrationError(
            f"markers lie far from where table.json puts them: {told}; lay their strips where the sheet says, "
            "or correct table.json"
        )
    if bundle.rms_px > MOST_RMS_PX:
        raise CalibrationError(
            f"the pictures do not fit one frame ({bundle.rms_px:.1f} px are left over): it was moved between them, "
            "or a lens is not this camera's"
        )


def _settled(
    laid: Mapping[int, NDArray[np.float64]], given: Mapping[int, NDArray[np.float64]]
) -> tuple[dict[int, NDArray[np.float64]], bool]:
    """Return the frame where it lies on the table (see above), and whether it was taken as centred on the board."""
    numbers = list(laid)
    corners = np.concatenate([laid[number] for number in numbers])
    target = np.concatenate([given[number] for number in numbers])
    corners[:, :2] = _fitted(corners[:, :2], target[:, :2])
    error_mm = max(1.4826 * float(np.median(np.abs(corners - target)[:, :2])), _LEAST_ERROR_MM)
    middle = corners[:, :2].mean(axis=0)
    turn = _turn(corners[:, :2])
    reach = float(((corners[:, :2] - middle) ** 2).sum())
    doubt = (float(middle @ middle) * len(corners) + turn**2 * reach) / error_mm**2
    centred = len(laid) == len(given) and doubt <= CENTRED
    if centred:
        corners[:, :2] = (corners[:, :2] - middle) @ _rotation(-turn).T
    return dict(zip(numbers, corners.reshape(-1, 4, 3), strict=True)), centred


def _fitted(corners: NDArray[np.float64], target: NDArray[np.float64]) -> NDArray[np.float64]:
    """Shift and turn corners (n, 2) onto the target; what does not fit (a strip laid badly) weighs little."""
    for _ in range(_ROUNDS):
        off = np.linalg.norm(corners - target, axis=1)
        limit_mm = max(_USUAL * float(np.median(off)), _LEAST_ERROR_MM)
        weights = np.minimum(1.0, limit_mm / np.maximum(off, 1e-9))[:, None]
        middle, aim = (corners * weights).sum(axis=0) / weights.sum(), (target * weights).sum(axis=0) / weights.sum()
        arms, wanted = corners - middle, (target - aim) * weights
        sine = float((arms[:, 0] * wanted[:, 1] - arms[:, 1] * wanted[:, 0]).sum())
        corners = arms @ _rotation(np.arctan2(sine, float((arms * wanted).sum()))).T + aim
    return corners


def _rotation(angle: float) -> NDArray[np.float64]:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _turn(corners: NDArray[np.float64]) -> float:
    """Return by what angle lines between corners (n, 2) that nearly follow an axis are turned from it, radians."""
    first, second = np.triu_indices(len(corners), 1)
    lines = corners[second] - corners[first]
    angles = np.arctan2(lines[:, 1], lines[:, 0])
    off = (angles + np.pi / 4) % (np.pi / 2) - np.pi / 4
    along = np.abs(off) < np.radians(_ALONG_DEG)
    weights = (lines**2).sum(axis=1) * along
    return float((weights * off).sum() / max(float(weights.sum()), 1e-9))
