"""Small grey pictures made comparable under any light, and the places where two of them differ.

A picture is the logarithm of its grey values, less its own blur: what is left of paper, print and pieces is the same in
bright and in dim light, under a lamp's slow gradient and a camera's automatic exposure. (The homomorphic view of
pictures: Oppenheim, Schafer and Stockham, 1968.) What differs after that is another thing in that place.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Texture = NDArray[np.float32]
"""(h, w) natural logarithms, mean about 0 everywhere."""

LEAST = 0.15
"""A difference of so much of the brightness is a thing; a quiet camera's noise stays below half of it."""
NOISES = 6.0
"""In a noisy or flickering picture: so many standard deviations of the differences."""
_FLOOR_SHARE = 0.08
"""Brightness, as a share of the paper's, below which differences are let fade: the dark is noisy."""
_BLUR_FIELDS = 0.6


def texture(grey: NDArray[np.uint8], paper: float, field_px: float) -> Texture:
    """The texture of a picture. paper: grey value of what is bright in it. field_px: side of a field."""
    levels = np.log(np.arange(256, dtype=np.float32) + max(3.0, _FLOOR_SHARE * paper))
    logarithms = cv2.LUT(grey, levels.astype(np.float32))
    return np.asarray(logarithms - cv2.GaussianBlur(logarithms, (0, 0), _BLUR_FIELDS * field_px), np.float32)


def paper_level(grey: NDArray[np.uint8], mask: NDArray[np.bool_]) -> float:
    """Grey value of the bright things within a mask."""
    return float(np.percentile(grey[mask], 90))


def differences(one: Texture, other: Texture, mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(h, w): where two textures show different things, within a mask. The noise is what most of the mask shows."""
    apart = np.abs(one - other)
    smooth = cv2.blur(apart, (3, 3))
    noise = 1.4826 * float(np.median(apart[mask]))
    return np.asarray((smooth > max(LEAST, NOISES * noise)) & mask, np.bool_)


def likeness(one: Texture, other: Texture, mask: NDArray[np.bool_]) -> float:
    """Correlation of two textures within a mask, -1 to 1."""
    a, b = one[mask], other[mask]
    a, b = a - a.mean(), b - b.mean()
    spread = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / spread if spread > 0 else 0.0


def shift_px(one: Texture, other: Texture, mask: NDArray[np.bool_]) -> tuple[float, float]:
    """How far ``other`` is moved against ``one``, (x, y) pixels, by phase correlation."""
    box = cv2.boundingRect(mask.astype(np.uint8))
    x, y, width, height = (int(value) for value in box)
    window = cv2.createHanningWindow((width, height), cv2.CV_32F)
    cut = np.s_[y : y + height, x : x + width]
    moved, _ = cv2.phaseCorrelate(np.ascontiguousarray(one[cut]), np.ascontiguousarray(other[cut]), window)
    return float(moved[0]), float(moved[1])


def moved_by(picture: Texture, shift: tuple[float, float]) -> Texture:
    """A texture moved by (x, y) pixels."""
    warp = np.array([[1, 0, shift[0]], [0, 1, shift[1]]], np.float32)
    moved = cv2.warpAffine(
        picture, warp, picture.shape[::-1], flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(moved, np.float32)


def sharpness(grey: NDArray[np.uint8], mask: NDArray[np.bool_]) -> float:
    """How sharp a picture is within a mask; only good for comparing pictures of the same scene."""
    return float(np.abs(cv2.Laplacian(grey, cv2.CV_32F)[mask]).mean())
