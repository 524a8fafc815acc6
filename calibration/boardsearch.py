"""Finds a board without a printed frame anywhere in a picture, from any side, by what it looks like.

The colours of rim and surroundings, as likelihood ratios, are summed over the places where a board in some pose
would show them. Poses are tried all around in a small picture, the best are moved about at random in larger ones
(annealed, as in Deutscher and others, Articulated Body Motion Capture by Annealed Particle Filtering, 2000), and the
edge decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.boardlook import BoardLook, Fit, Focal, Turns, fit, likeness_nats, seen_likeness, soft_lab
from calibration.lens import Lens
from calibration.pose import Pose
from calibration.rimcolours import RimColours

_COARSE_PX, _MIDDLE_PX = 96, 480
"""The longer side of the pictures in which poses are tried."""
_ELEVATIONS = np.radians([36.0, 50.0, 68.0])
_AZIMUTHS = np.radians(np.arange(0, 360, 15))
_SPANS = 0.3 * 1.25 ** np.arange(6)
"""How much of the picture's longer side the board's may fill."""
_STAGES = ((6.0, 1.0, 5, 24), (3.0, 0.5, 5, 10), (1.0, 0.2, 6, 6))
"""Blur, spread of the moves, rounds, and how many poses are kept from before."""
_TRIES = 24
_TURN, _SHIFT, _AWAY = 0.1, 0.03, 0.06
"""Spread of the first moves: radians, and shares of the distance."""
_LIKELY_NATS = 0.3
"""A board looks less than this like what is known of it, a place, is none: it is then as good as hidden."""
_WHOLE = 0.97
"""Share of the rim and of its surroundings in a picture that shows all of the board, if only just."""
_TURN_NATS, _ALIKE = 5.0, 10
"""One side is told from another by odds of 150 to 1, where so many neighbouring places of the rim err alike."""
_FEWEST_BLOCKS = 10
_PRINT_ERRORS = 3.0
"""... or by the print, if blocks of the rim fit better by so many standard errors."""


class Sought(Protocol):
    """What is looked for in a picture."""

    @property
    def half_mm(self) -> tuple[float, float]:
        """Return half the board's width and depth."""

    @property
    def colours(self) -> RimColours:
        """Return the colours by which it is told."""

    def tests(self, step_mm: float) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        """Return places (n, 2) on the board and beside it, and which colours each has, (n, 2)."""


class Unseen(StrEnum):
    """Reasons for which no pose is found."""

    ABSENT = "absent"
    """Nothing in the picture looks like the board."""
    PART = "part"
    """The board reaches out of the picture."""
    UNSURE = "unsure"
    """It can't be told where its edge lies, or which side is which."""


@dataclass(frozen=True, eq=False)
class NotFound:
    """Why no pose is found. turned: those it may be where its sides alone can't be told apart."""

    why: Unseen
    turned: tuple[Fit, ...] = ()


def find_board(
    picture_bgr: NDArray[np.uint8], look: BoardLook, lens: Lens, focal: Focal, limit_mm: float
) -> Fit | NotFound:
    """Find the pose in a picture, or why there is none. limit_mm: how unsure it may be."""
    poses = poses_near(picture_bgr, look, lens)
    if not poses:
        return NotFound(Unseen.ABSENT)
    lab = soft_lab(picture_bgr)
    near = [fit(lab, look, pose, lens, focal, (0.6 * look.rim_mm,)) for pose in poses]
    best = max((one for one in near if one is not None), key=lambda one: _worth(lab, look, one), default=None)
    found = None if best is None else fit(lab, look, best.pose, lens, focal, (8.0, 6.0, 4.0, 3.0, 3.0))
    if found is None:
        return NotFound(_why_unseen(lab, look, poses[0], lens))
    turned = _turned(lab, look, found) if found.unsure_mm <= limit_mm else ()
    return turned[0] if len(turned) == 1 else NotFound(_why_unseen(lab, look, found.pose, found.lens), turned)


def poses_near(picture_bgr: NDArray[np.uint8], look: Sought, lens: Lens, around: float = 2 * np.pi) -> list[Pose]:
    """Return poses in which a picture shows about what is looked for, likeliest first; none where nothing does.

    around: the angle, radians, after which the board looks the same.
    """
    starts = _tried(picture_bgr, look, lens, around)
    return moved_about(picture_bgr, look, lens, starts) if starts else []


def _why_unseen(lab: NDArray[np.uint8], look: BoardLook, pose: Pose, lens: Lens) -> Unseen:
    """Return why the likeliest pose is none."""
    seen, share = seen_likeness(lab, look, pose, lens)
    if seen < _LIKELY_NATS:
        return Unseen.ABSENT
    return Unseen.PART if share < _WHOLE else Unseen.UNSURE


def _worth(lab: NDArray[np.uint8], look: BoardLook, one: Fit) -> float:
    return likeness_nats(lab, look, one.pose, one.lens) + one.places / len(look.edge)


def _turned(lab: NDArray[np.uint8], look: BoardLook, found: Fit) -> tuple[Fit, ...]:
    """Return a fit as it may be turned, one where its sides are told apart; none for one that is no board."""
    if likeness_nats(lab, look, found.pose, found.lens) < _LIKELY_NATS:
        return ()
    square = abs(look.half_mm[0] - look.half_mm[1]) < 0.1 * look.half_mm[0]
    possible, seen = (0, 1, 2, 3) if square else (0, 2), Turns(lab, look, found.pose, found.lens)
    beats = {one: {other for other in possible if other != one and _is_rather(seen, one, other)} for one in possible}
    first = next((one for one in possible if len(beats[one]) == len(possible) - 1), None)
    left = (
        [one for one in possible if not any(one in beaten for beaten in beats.values())] if first is None else [first]
    )
    return tuple(_turned_by(found, quarters) for quarters in left)


def _turned_by(found: Fit, quarters: int) -> Fit:
    sine, cosine = round(np.sin(quarters * np.pi / 2)), round(np.cos(quarters * np.pi / 2))
    about = np.array([[cosine, -sine, 0], [sine, cosine, 0], [0, 0, 1]], np.float64)
    return replace(found, pose=replace(found.pose, rotation=found.pose.rotation @ about))


def _is_rather(seen: Turns, one: int, other: int) -> bool:
    """Return whether a board is surely turned in one way rather than in another."""
    nats = float(seen.nats(one, other).sum()) / _ALIKE
    if abs(nats) >= _TURN_NATS:
        return nats > 0
    prints = seen.prints(one, other)
    error = float(prints.std()) / np.sqrt(max(1, len(prints)))
    return len(prints) >= _FEWEST_BLOCKS and float(prints.mean()) > _PRINT_ERRORS * error


def _tried(picture_bgr: NDArray[np.uint8], look: Sought, lens: Lens, around: float) -> list[Pose]:
    """Return the likeliest of poses all around, each with the board where it fits best.

    None where the rim's colours are nowhere in the picture, or nowhere as the board would show them: then even
    the likeliest place speaks against the board.
    """
    points, which = look.tests(16.0)
    told = _told(picture_bgr, look, _MIDDLE_PX)
    rim = which[which[:, 0] < len(look.colours.nats), 0]
    if told.reshape(len(told), -1).max(axis=1)[rim].mean() < _LIKELY_NATS:
        return []
    height, width = (round(side * _COARSE_PX / _MIDDLE_PX) for side in told.shape[1:])
    small = [cv2.resize(one, (width, height), interpolation=cv2.INTER_AREA) for one in told]
    edge = _COARSE_PX // 2
    maps = np.pad(np.stack(small), ((0, 0), (edge, edge), (edge, edge)))
    _, tall, wide = maps.shape
    every = maps.reshape(-1)
    matrix = _matrix_at(lens, _COARSE_PX)
    layers = (which[:, 0] * (tall * wide)).astype(np.int32)
    down, across = np.meshgrid(np.arange(0, height, 2), np.arange(0, width, 2), indexing="ij")
    places = ((down + edge) * wide + across + edge).reshape(-1).astype(np.int32)
    found = []
    for span in _SPANS:
        away = matrix[0, 0] * 2 * max(look.half_mm) / (span * _COARSE_PX)
        for elevation in _ELEVATIONS:
            for azimuth in _AZIMUTHS[around - 1e-6 > _AZIMUTHS]:
                turn, shift = _looking(azimuth, elevation, away, matrix[:2, 2], matrix)
                off = np.rint(_projected(turn[None], shift[None], points, matrix)[0] - matrix[:2, 2])
                steps = np.clip(off, -edge, edge - 1).astype(np.int32)
                at = layers + steps[:, 1] * wide + steps[:, 0]
                sums = np.take(every, places[None] + at[:, None]).sum(axis=0)
                best = int(sums.argmax())
                middle = np.array([across.flat[best], down.flat[best]], np.float64)
                found.append((float(sums[best]), (azimuth, elevation, away, middle)))
    found.sort(key=lambda one: -one[0])
    if found[0][0] < 0.0:
        return []
    return [Pose(*_looking(*one, matrix), 0, 0.0) for _, one in found[: _STAGES[0][3]]]


def moved_about(picture_bgr: NDArray[np.uint8], look: Sought, lens: Lens, starts: Sequence[Pose]) -> list[Pose]:
    """Return poses near others, likeliest first."""
    dice = np.random.default_rng(0)
    points, which = look.tests(8.0)
    matrix = _matrix_at(lens, _MIDDLE_PX)
    sharp = _told(picture_bgr, look, _MIDDLE_PX)
    _, height, width = sharp.shape
    layers = (which[:, 0] * (height * width)).astype(np.int32)
    turns, shifts = (
        np.stack(each) for each in zip(*((one.rotation, one.translation_mm) for one in starts), strict=True)
    )
    for blur, spread, rounds, kept in _STAGES:
        turns, shifts = turns[:kept], shifts[:kept]
        every = np.stack([cv2.GaussianBlur(one, (0, 0), blur) for one in sharp]).reshape(-1)
        row, worth = np.arange(len(turns)), np.zeros(len(turns))
        for step in range(rounds):
            move = dice.normal(0, spread * 0.85**step, (len(turns), _TRIES, 6))
            move[:, 0] = 0
            away = np.linalg.norm(shifts, axis=1)[:, None, None]
            near = _rotations(_TURN * move[..., :3].reshape(-1, 3)).reshape(*move.shape[:2], 3, 3) @ turns[:, None]
            beside = shifts[:, None] + move[..., 3:] * away * (_SHIFT, _SHIFT, _AWAY)
            at = np.rint(_projected(near.reshape(-1, 3, 3), beside.reshape(-1, 3), points, matrix)).astype(np.int32)
            inside = (at >= 0).all(axis=-1) & (at[..., 0] < width) & (at[..., 1] < height)
            places = np.where(inside, layers + at[..., 1] * width + at[..., 0], 0)
            sums = (np.take(every, places) * inside).mean(axis=1).reshape(move.shape[:2])
            best = sums.argmax(axis=1)
            worth, turns, shifts = sums[row, best], near[row, best], beside[row, best]
        order = np.argsort(-worth)
        turns, shifts = turns[order], shifts[order]
    return [Pose(turn, shift, 0, 0.0) for turn, shift in zip(turns, shifts, strict=True)]


def _told(picture_bgr: NDArray[np.uint8], look: Sought, longer_px: int) -> NDArray[np.float32]:
    """Return how likely each pixel of a smaller picture has each of the look's colours, (colours, h, w)."""
    height, width = picture_bgr.shape[:2]
    share = longer_px / max(height, width)
    size = round(width * share), round(height * share)
    small = cv2.resize(picture_bgr, size, interpolation=cv2.INTER_AREA)
    return look.colours.told(np.asarray(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), np.uint8))


def _matrix_at(lens: Lens, longer_px: int) -> NDArray[np.float64]:
    share = longer_px / max(lens.size)
    shrink = np.array([[share, 0, (share - 1) / 2], [0, share, (share - 1) / 2], [0, 0, 1]])
    return np.asarray(shrink @ lens.matrix, np.float64)


def _looking(
    azimuth: float, elevation: float, away: float, middle_px: NDArray[np.float64], matrix: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return rotation and translation of a camera that sees the board's middle at a place of its picture.

    Azimuth 0 is the side of row 1, counter-clockwise seen from above; radians.
    """
    flat, high = np.cos(elevation), np.sin(elevation)
    back = np.array([np.sin(azimuth) * flat, -np.cos(azimuth) * flat, high])
    right = np.array([np.cos(azimuth), np.sin(azimuth), 0.0])
    facing = np.stack([right, np.cross(-back, right), -back])
    ray = np.linalg.inv(matrix) @ np.array([*middle_px, 1.0])
    ray /= np.linalg.norm(ray)
    axis = np.cross((0.0, 0.0, 1.0), ray)
    bent = float(np.linalg.norm(axis))
    aside = _rotations(axis[None] / max(bent, 1e-12) * np.arctan2(bent, ray[2]))[0]
    return aside @ facing, ray * away


def _rotations(vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rotations of (n, 3) vectors, (n, 3, 3) (Rodrigues' formula)."""
    angle = np.linalg.norm(vectors, axis=1)
    x, y, z = (vectors / np.maximum(angle, 1e-12)[:, None]).T
    none = np.zeros_like(x)
    cross = np.stack([none, -z, y, z, none, -x, -y, x, none], axis=-1).reshape(-1, 3, 3)
    sine, cosine = np.sin(angle)[:, None, None], np.cos(angle)[:, None, None]
    return np.asarray(np.eye(3) + sine * cross + (1 - cosine) * (cross @ cross), np.float64)


def _projected(
    turns: NDArray[np.float64],
    shifts: NDArray[np.float64],
    points_mm: NDArray[np.float64],
    matrix: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return where a lens without distortion shows (m, 2) places of the board in (n,) poses, (n, m, 2) pixels."""
    at = turns[:, :, :2] @ points_mm.T + shifts[:, :, None]
    depth = np.where(at[:, 2] > 1e-6, at[:, 2], 1e-6)
    across, down = (matrix[axis, axis] * at[:, axis] / depth + matrix[axis, 2] for axis in (0, 1))
    return np.stack([np.clip(across, -1e6, 1e6), np.clip(down, -1e6, 1e6)], axis=-1)
