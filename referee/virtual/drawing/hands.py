"""Draws a hand and an arm over the board."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.pose import Pose
from referee.virtual.drawing.prints import Picture
from referee.virtual.scene import HandPlace

_SKIN = np.array([128.0, 160.0, 206.0])
_SLEEVE = np.array([112.0, 72.0, 48.0])
_ARM_MM = 620.0
_SHARES = np.linspace(0, 1, 9)
"""Places of a limb's discs along it, as shares."""
_SUN = np.array([0.38, 0.32])
"""Length of a point's shadow along x and y, for each mm of its height."""
_SHADOW = ((1.25, 0.89), (1.08, 0.78), (0.9, 0.69))
"""A shadow's outlines, as parts of a limb's, from the outside, and how light it is within each."""
_AROUND = np.linspace(0, 2 * np.pi, 14, endpoint=False)
_RING = np.stack([np.cos(_AROUND), np.sin(_AROUND)], axis=-1)


def in_shadow(still: Picture) -> list[Picture]:
    """Return a picture as dark as a hand's shadow makes it, from its rim to its middle."""
    return [np.asarray(cv2.convertScaleAbs(still, alpha=light), np.uint8) for _, light in _SHADOW]


def draw_hand(
    still: Picture, shaded: Sequence[Picture], hand: HandPlace, pose: Pose, lens: Lens, light: float
) -> Picture:
    """Draw a hand and its shadow on a copy of a picture. shaded: the picture ``in_shadow``."""
    picture = still.copy()
    towards = np.radians(hand.from_deg)
    along = np.array([np.cos(towards), np.sin(towards), 0.0])
    across = np.array([-along[1], along[0], 0.0])
    tip = np.array([hand.x_mm, hand.y_mm, hand.z_mm])
    wrist = tip + along * 92 + (0.0, 0.0, 34.0)
    elbow = tip + along * _ARM_MM + (0.0, 0.0, 120.0)
    parts = [(wrist, elbow, 31.0, 44.0, _SLEEVE), (tip + along * 46 + (0.0, 0.0, 20.0), wrist, 34.0, 26.0, _SKIN)]
    for number, spread in enumerate((-21.0, -8.0, 6.0, 19.0)):
        knuckle = tip + along * 50 + across * spread * 1.1 + (0.0, 0.0, 26.0)
        end = tip + across * spread * 0.42 + along * (6.0 if number in (0, 3) else 0.0)
        parts.append((end, knuckle, 7.5, 9.5, _SKIN * (0.96 + 0.03 * number)))
    thumb = tip + along * 58 - across * 30 + (0.0, 0.0, 10.0)
    parts.append((tip - across * 10 + along * 8, thumb, 8.0, 11.0, _SKIN * 0.93))
    _shadow(picture, shaded, [(a, b, low, high) for a, b, low, high, _ in parts[:2]], pose, lens)
    for start, end, low, high, paint in parts:
        _limb(picture, (start, end), (low, high), paint * light, pose, lens)
    return picture


def _limb(
    picture: Picture,
    ends: tuple[NDArray[np.float64], NDArray[np.float64]],
    radii: tuple[float, float],
    paint: NDArray[np.float64],
    pose: Pose,
    lens: Lens,
) -> None:
    """Draw a part of an arm: round, darker towards its outline."""
    discs = _discs(ends, radii, pose, lens)
    if discs is None:
        return
    for inset, shade in ((1.0, 0.66), (0.86, 0.8), (0.66, 0.92), (0.4, 1.0)):
        colour = [float(value) for value in np.clip(paint * shade, 0, 255)]
        cv2.fillPoly(picture, [_outline(discs, inset)], colour, cv2.LINE_AA if inset == 1.0 else cv2.LINE_8, 4)


Discs = tuple[NDArray[np.float64], NDArray[np.float64]]
"""Middles (n, 2) and radii (n,) of discs along a limb, pixels."""


def _discs(
    ends: tuple[NDArray[np.float64], NDArray[np.float64]], radii: tuple[float, float], pose: Pose, lens: Lens
) -> Discs | None:
    """Return the discs that a limb is made of, as a camera sees them; ``None`` behind it."""
    spine = ends[0] + (ends[1] - ends[0]) * _SHARES[:, None]
    depth = spine @ pose.rotation[2] + pose.translation_mm[2]
    ahead = depth > 60
    if ahead.sum() < 2:
        return None
    radius = (radii[0] + (radii[1] - radii[0]) * _SHARES) * lens.matrix[0, 0] / depth.clip(60)
    return pose.project(spine[ahead], lens), radius[ahead]


def _outline(discs: Discs, inset: float = 1.0) -> NDArray[np.int32]:
    """Return the hull of discs, each scaled by ``inset``."""
    places, radius = discs
    points = (places[:, None] + _RING * (inset * radius[:, None, None])).reshape(-1, 2)
    points = points[np.isfinite(points).all(axis=1)].clip(-4000, 6000)
    return np.asarray(cv2.convexHull(np.round(points * 16).astype(np.int32)), np.int32)


def _shadow(
    picture: Picture,
    shaded: Sequence[Picture],
    parts: list[tuple[NDArray[np.float64], NDArray[np.float64], float, float]],
    pose: Pose,
    lens: Lens,
) -> None:
    """Draw the shadow of limbs on the board's plane, its rim lighter."""
    cast = [_discs((_fallen(start), _fallen(end)), (low, high), pose, lens) for start, end, low, high in parts]
    for (inset, _), dark in zip(_SHADOW, shaded, strict=True):
        mask = np.zeros(picture.shape[:2], np.uint8)
        for discs in cast:
            if discs is not None:
                cv2.fillPoly(mask, [_outline(discs, inset)], 255, cv2.LINE_8, 4)
        x, y, width, height = cv2.boundingRect(mask)
        part = slice(y, y + height), slice(x, x + width)
        if width:
            cv2.copyTo(dark[part], mask[part], picture[part])


def _fallen(at: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where the shadow of a point falls on the board."""
    return np.append(at[:2] + at[2] * _SUN, 0.0)
