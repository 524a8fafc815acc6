"""Makes small grey pictures comparable under any light, and finds the places where two of them differ.

A picture is the logarithm of its grey values, less its own blur: what is left of paper, print and pieces is the same
in bright and in dim light, under a lamp's slow gradient and a camera's automatic exposure (the homomorphic view of
pictures: Oppenheim, Schafer and Stockham, 1968). A camera's gamma only stretches it, so it is measured in units of
the board's own contrast. What differs after that is another thing in that place.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.gate.region import Region

Grid = NDArray[np.float32]
"""(h, w) values of the small picture."""

LEAST = 0.4
"""A difference of so much of the board's contrast is a thing; what keeps still stays below half of it."""
NOISES = 6.0
"""In a noisy or flickering picture: so many standard deviations of the differences."""
NOISIEST = 2.5
"""But no noise makes up for more than so many times the least difference."""
LIGHT_SHARE = 0.6
"""Under another light pieces look different by about this share of the change of light."""
_FLOOR_SHARE = 0.08
"""Brightness, as a share of the paper's, below which differences are let fade: the dark is noisy."""
_BLUR_FIELDS = 0.6
_LIGHT_FIELDS = 3.0
_CONTRASTS = 0.1, 1.5
_LARGEST_SHIFT_PX = 0.6
_STEPS = 30
_SMOOTH_PX = 5


@dataclass(frozen=True, slots=True)
class Scale:
    """Units of a scene. paper: grey value of what is bright in it. contrast: of the logarithms."""

    paper: float
    contrast: float


@dataclass(frozen=True, slots=True, eq=False)
class Texture:
    """A picture made comparable. logs: natural logarithms of its brightness. fine: less their blur, in contrasts."""

    logs: Grid
    fine: Grid


def scale_of(grey: NDArray[np.uint8], region: Region) -> Scale:
    """Measure a scene by a picture of it."""
    paper = max(float(np.percentile(grey[region.mask], 90)), 8.0)
    plain = texture(grey, Scale(paper, 1.0), region)
    low, high = _CONTRASTS
    return Scale(paper, float(np.clip(plain.fine[region.mask].std(), low, high)))


def texture(grey: NDArray[np.uint8], scale: Scale, region: Region) -> Texture:
    """Return the texture of an (h, w) picture."""
    levels = np.log(np.arange(256, dtype=np.float32) + max(3.0, _FLOOR_SHARE * scale.paper))
    return from_logs(np.asarray(cv2.LUT(grey, levels.astype(np.float32)), np.float32), scale, region)


def from_logs(logs: Grid, scale: Scale, region: Region) -> Texture:
    """Return the texture of a picture by the logarithms (h, w) of its brightness."""
    fine = (logs - cv2.GaussianBlur(logs, (0, 0), _BLUR_FIELDS * region.field_px)) / np.float32(scale.contrast)
    return Texture(logs, np.asarray(fine, np.float32))


def differences(one: Texture, other: Texture, region: Region, scale: Scale | None = None) -> NDArray[np.bool_]:
    """Return the mask (h, w) of places where two textures show different things on the board.

    The noise is what most of the board shows; what a trembling camera shifts, by a part of a pixel, is taken out.
    With a scale, places in another light are allowed to differ more.
    """
    apart = one.fine - other.fine
    found = _above(apart, region)
    if found.any():
        steadied = _steadied(apart, other.fine, region, found)
        steadier = _above(steadied, region)
        if steadier.sum() < found.sum():
            apart, found = steadied, steadier
    if scale is not None and found.any():
        found = _above(apart, region, LIGHT_SHARE / scale.contrast * light_change(one, other, region))
    return found


def _above(apart: Grid, region: Region, more: Grid | float = 0.0) -> NDArray[np.bool_]:
    size = np.abs(apart)
    noise = 1.4826 * float(np.median(size.reshape(-1)[region.sample]))
    # Where everything moves, as when the table is bumped, what most of the board shows is no noise.
    least = max(LEAST, min(NOISES * noise, NOISIEST * LEAST))
    return np.asarray((cv2.blur(size, (3, 3)) > least + more) & region.counted, np.bool_)


def _steadied(apart: Grid, picture: Grid, region: Region, things: NDArray[np.bool_]) -> Grid:
    """Take out of differences what a shift of the whole picture explains (Lucas and Kanade, 1981)."""
    across = cv2.Sobel(picture, cv2.CV_32F, 1, 0, ksize=3, scale=1 / 8)
    down = cv2.Sobel(picture, cv2.CV_32F, 0, 1, ksize=3, scale=1 / 8)
    # What moved by itself must not drag the picture along, unless all of it is edges that shifted.
    near = np.asarray(cv2.dilate(things.astype(np.uint8), np.ones((5, 5), np.uint8)), np.bool_)
    use = region.mask & ~near if near.sum() < 0.3 * region.area_px else region.mask & (np.abs(apart) < 2 * LEAST)
    slopes = np.stack([across[use], down[use]], axis=1)
    if len(slopes) < 100:
        return apart
    shift = np.linalg.lstsq(slopes.T @ slopes + np.eye(2, dtype=np.float32), slopes.T @ apart[use], rcond=None)[0]
    if float(np.abs(shift).max()) > _LARGEST_SHIFT_PX:
        return apart
    return np.asarray(apart - shift[0] * across - shift[1] * down, np.float32)


def light_change(one: Texture, other: Texture, region: Region) -> Grid:
    """Return how much the light differs around each place, (h, w), absolute natural logarithm.

    It is the median around, for which pieces are too small to count.
    """
    apart = one.logs - other.logs
    step = np.clip(np.round(apart * 40 + 128), 0, 255).astype(np.uint8)
    side = 2 * int(_LIGHT_FIELDS * region.field_px / 2) + 1
    return np.asarray(np.abs((cv2.medianBlur(step, side).astype(np.float32) - 128) / 40), np.float32)


def likeness(one: Grid, other: Grid, mask: NDArray[np.bool_]) -> float:
    """Return the correlation of two grids within a mask, -1 to 1."""
    a, b = one[mask], other[mask]
    a, b = a - a.mean(), b - b.mean()
    spread = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / spread if spread > 0 else 0.0


def aligned(seen: Texture, board: Texture, region: Region) -> Grid | None:
    """Return what is seen (its ``fine``), moved back to where the board was; ``None`` where no move does it.

    The shift is found by phase correlation, then an affine map by maximising the correlation (Evangelidis and
    Psarakis: ECC, PAMI 2008).
    """
    warp = np.eye(2, 3, dtype=np.float32)
    warp[:, 2] = _shift_px(board.fine, seen.fine, region.mask)
    stop = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, _STEPS, 1e-4)
    mask = region.mask.astype(np.uint8)
    try:
        _, found = cv2.findTransformECC(board.fine, seen.fine, warp, cv2.MOTION_AFFINE, stop, mask, _SMOOTH_PX)
    except cv2.error:  # it does not converge: another scene
        return None
    size = seen.fine.shape[1], seen.fine.shape[0]
    how = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(seen.fine, found, size, flags=how, borderMode=cv2.BORDER_REPLICATE), np.float32)


def _shift_px(one: Grid, other: Grid, mask: NDArray[np.bool_]) -> tuple[float, float]:
    """Return how far ``other`` is moved against ``one``, (x, y) pixels, by phase correlation."""
    x, y, width, height = (int(value) for value in cv2.boundingRect(mask.astype(np.uint8)))
    window = cv2.createHanningWindow((width, height), cv2.CV_32F)
    cut = np.s_[y : y + height, x : x + width]
    moved, _ = cv2.phaseCorrelate(np.ascontiguousarray(one[cut]), np.ascontiguousarray(other[cut]), window)
    return float(moved[0]), float(moved[1])


def sharpness(grey: NDArray[np.uint8], mask: NDArray[np.bool_]) -> float:
    """Return how sharp a picture is within a mask; only good for comparing pictures of the same scene."""
    edges = cv2.Laplacian(grey, cv2.CV_32F)
    return float(cv2.norm(edges, cv2.NORM_L1, mask.astype(np.uint8))) / max(1, int(np.count_nonzero(mask)))
