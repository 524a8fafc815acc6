"""Guesses where a board lies in a picture of which nothing but its sizes is known, for a finger to confirm.

What is in the middle is taken for the stones, what is at the picture's edge for the table. Poses are tried all around
by these colours, which are learnt anew from the likeliest. What is found so must look like a board: stones alike up
to the outermost, a rim around them, and a table about that. Its edge is then found as from touched corners.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boardlook import Focal, learn, ring, soft_lab
from calibration.boardsearch import moved_about, poses_near
from calibration.lens import Lens, plain_lens
from calibration.pose import Pose
from calibration.rimcolours import RimColours, learn_one

LONGER_PX = 960
"""The longer side of the picture in which corners are guessed: a finger touches them no better."""
_SMALL_PX = 320
_AROUND = 0.06
"""Share of a picture's sides at its edge that shows the table about the board."""
_MIDDLE = 0.2
"""Share of its sides in the middle that shows the board."""
_ROUNDS = 2
_SHARES = 0.9, 1.1, 1.7
"""Half of what is surely board, and of what may be, and of the table about it, in shares of half the board."""
_BEYOND = (0.05, 0.15, 0.3)
"""Beyond the edge the table is looked for, in shares of half the board."""
_HIGH_STONES = 4.0
"""So high things on the board stand up into a picture: what lies behind them tells nothing of the table."""
_SURE = 0.7
"""Share of the places that must look like the board."""
_NEAR = 0.06
"""Where its edge is learnt, it lies no further off than this share of the diagonal."""
_USUAL = 26.0 / 36.0
"""Focal length of most phones' cameras, in shares of a picture's longer side."""
_SPREAD = 0.05

Picture = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class BoardSizes:
    """Half the board's width and depth, the least width of its rim, and a stone's height, mm."""

    half_mm: tuple[float, float]
    rim_mm: float
    stone_mm: float


@dataclass(frozen=True, eq=False)
class _Sought:
    """What is looked for: fields with the stones' colours, and none of these beyond the edge."""

    half_mm: tuple[float, float]
    colours: RimColours

    def tests(self, step_mm: float) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Return places (n, 2) and which of two colours each has: 0 the stones', 1 none of them."""
        xs, ys = (np.arange(-side + step_mm / 2, side, step_mm) for side in self.half_mm)
        within = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
        beyond = np.concatenate([ring(self.half_mm, -share * min(self.half_mm), step_mm)[0] for share in _BEYOND])
        every = len(within) / len(beyond)  # as many of the one kind as of the other
        some = np.unique(np.linspace(0, len(within) - 1, round(len(within) / max(1.0, every))).astype(int))
        which = np.zeros((len(some) + len(beyond), 2), np.intp)
        which[len(some) :] = 1
        return np.concatenate([within[some], beyond]), which


def guessed_corners(picture_bgr: Picture, focal_px: float | None, sizes: BoardSizes) -> NDArray[np.float64] | None:
    """Return the board's corners, (4, 2) px, far left first, clockwise; ``None`` where it is not made out.

    focal_px: as the picture's file tells it.
    """
    height, width = picture_bgr.shape[:2]
    share = LONGER_PX / max(height, width)
    size = round(width * share), round(height * share)
    small = np.asarray(cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA), np.uint8)
    lens = plain_lens((focal_px or _USUAL * max(height, width)) * share, size)
    lab = soft_lab(small)
    rated = _likely(small, lab, lens, sizes)
    worth, pose = max(rated, key=lambda one: one[0], default=(0.0, None))
    if pose is None or worth < _SURE:
        return None
    half_mm, rim_mm, stone_mm = sizes.half_mm, sizes.rim_mm, sizes.stone_mm
    corners = _outline(pose, lens, half_mm)
    learnt = learn(small, pose, lens, Focal(1.0, _SPREAD), half_mm, rim_mm, 2 * stone_mm)
    if learnt is not None:
        better = _outline(learnt[1].pose, learnt[1].lens, half_mm)
        near = np.linalg.norm(better - corners, axis=1).max() < _NEAR * np.linalg.norm(corners[0] - corners[2])
        corners = better if near else corners
    return np.asarray(np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0) / share)


def _likely(small: Picture, lab: Picture, lens: Lens, sizes: BoardSizes) -> list[tuple[float, Pose]]:
    """Return poses in which the board may lie by the colours of what is on it and of the table, and how sure each is.

    The rim may look like the stones or not: by what is like the middle alone it can't be told where the board ends.
    """
    half_mm, rim_mm, stone_mm = sizes.half_mm, sizes.rim_mm, sizes.stone_mm
    height, width = lab.shape[:2]
    coarse = np.asarray(cv2.resize(lab, (_SMALL_PX, round(height * _SMALL_PX / width))), np.uint8)
    shape = coarse.shape[:2]
    fields_mm = half_mm[0] - rim_mm, half_mm[1] - rim_mm
    square = abs(half_mm[0] - half_mm[1]) < 0.1 * half_mm[0]
    first = _Sought(fields_mm, learn_one(coarse[_middle(shape)], coarse[_frame(shape, _AROUND)]))
    stones = poses_near(small, first, lens, np.pi / 2 if square else np.pi)
    found = []
    for larger in (1.0, half_mm[0] / fields_mm[0]) if stones else ():
        near = [replace(pose, translation_mm=pose.translation_mm * larger) for pose in stones]
        for _ in range(_ROUNDS):
            within, beside, beyond = ((share * half_mm[0], share * half_mm[1]) for share in _SHARES)
            board = _covered(shape, near[0], lens, within, 0.0)
            around = _covered(shape, near[0], lens, beyond, 0.0)
            around &= ~_covered(shape, near[0], lens, beside, _HIGH_STONES * stone_mm)
            if not (board.any() and around.any()):
                break
            sought = _Sought(half_mm, learn_one(coarse[board], coarse[around]))
            near = moved_about(small, sought, lens, near)
        else:
            found.append((_rated(lab, sought, near[0], lens, sizes), near[0]))
    return found


def _rated(lab: Picture, sought: _Sought, pose: Pose, lens: Lens, sizes: BoardSizes) -> float:
    """Return how sure it is that the board lies there, 0 to 1: the share of places that look like it.

    The outermost stones look like those further in, not like the rim: or else something larger was taken for it.
    """
    half_mm, rim_mm, stone_mm = sizes.half_mm, sizes.rim_mm, sizes.stone_mm
    places, which = sought.tests(8.0)
    told = [
        np.mean(sought.colours.told(_seen(lab, pose, lens, places[which[:, 0] == one], 0.0))[one] > 0)
        for one in (0, 1)
    ]
    reach = min(half_mm) - rim_mm
    rings = [ring(half_mm, rim_mm + share * reach, 4.0)[0] for share in (0.1, 0.4, 0.5)]
    outer, *inner = (_seen(lab, pose, lens, at, stone_mm) for at in rings)
    strip = np.concatenate([ring(half_mm, share * rim_mm, 4.0)[0] for share in (0.3, 0.5, 0.7)])
    nearer = strip @ pose.centre_mm[:2] > 0  # stones hide what lies behind them
    rim = _seen(lab, pose, lens, strip[nearer], 0.0)
    if not all(map(len, (outer, *inner, rim))):
        return 0.0
    alike = np.mean(learn_one(rim, np.concatenate(inner)).told(outer)[0] > 0)
    return float(told[0] * told[1] * (1 - alike))


def _seen(lab: Picture, pose: Pose, lens: Lens, places_mm: NDArray[np.float64], high_mm: float) -> Picture:
    """Return the colours, (n, 3), of places so high above the board that lie in the picture."""
    at = pose.project(np.column_stack([places_mm, np.full(len(places_mm), high_mm)]), lens)
    x, y = np.rint(at[((at >= 0) & (at < np.array(lab.shape[1::-1]) - 1)).all(axis=1)]).astype(int).T
    return np.asarray(lab[y, x])


def _covered(
    shape: tuple[int, int], pose: Pose, lens: Lens, half_mm: tuple[float, float], high_mm: float
) -> NDArray[np.bool_]:
    """Return what of a smaller picture a box on the board covers, (h, w)."""
    corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (0, 1)]) * (*half_mm, high_mm)
    at = pose.project(corners, lens) * shape[1] / lens.size[0]
    mask = np.zeros(shape, np.uint8)
    if np.isfinite(at).all():
        cv2.fillConvexPoly(mask, cv2.convexHull(np.rint(at).astype(np.int32)), 1)
    return mask.astype(bool)


def _frame(shape: tuple[int, int], share: float) -> NDArray[np.bool_]:
    found = np.ones(shape, np.bool_)
    high, wide = (max(2, round(side * share)) for side in shape)
    found[high:-high, wide:-wide] = False
    return found


def _middle(shape: tuple[int, int]) -> NDArray[np.bool_]:
    return ~_frame(shape, (1 - _MIDDLE) / 2)


def _outline(pose: Pose, lens: Lens, half_mm: tuple[float, float]) -> NDArray[np.float64]:
    return pose.project(np.array([[-1, 1, 0], [1, 1, 0], [1, -1, 0], [-1, -1, 0]]) * (*half_mm, 1.0), lens)
