"""Recognises house symbols: faces of dice that bear a sign in place of pips, shown to a camera once.

A shown face is kept as a picture of the plane of the tops (vision/ledger/topface.py). A face to be read is laid over
it turned every way, a little moved and scaled, and the slopes of their brightness are compared by normalised
correlation, so that neither light nor turn matters. The same is done with faces of pips of many makes: a sign is told
only where it fits clearly better than every other sign and all pips.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

SIGN_PX, SIDE_PX = 32, 44
"""Side of a die's top face in a kept picture, and of the picture, pixels."""
ALIKE = 0.9
"""A sign is told from this correlation on. On drawn dice 20 pixels wide the sign that lay there had 0.93 and more
where its middle was found, the others up to 0.94 where they are alike (an X, a K, a star of four rays), else up to
0.89; pips up to 0.65."""
CLEARLY, NOT_PIPS = 0.05, 0.1
"""So much better must it fit than other signs, and than pips."""
MAYBE = 0.6
"""From this correlation on a face that pips fit less well may bear a sign."""
MOST_KEPT = 6
"""No more pictures of one face are kept: the newest."""
LEAST_SLOPE = 0.8
"""Grey levels a pixel, root mean square, that brightness must change on a face for a sign to be seen at all."""
SURE, OPEN = 0.97, 0.6
"""Probability of what a sign stands for; of the likeliest number where a sign speaks against it."""
SIGN_NATS = 7.0
"""So much likelier lies a die, log-odds, where its sign is told: the networks have learned dice with pips, and take
one with a sign for something else."""

_REACH = 0.4
"""Radius of what is compared, in dice: what lies within it lies on the face however the die is rounded."""
_RINGS, _TURNS = 14, 96
_SHIFTS_PX = (-4.5, -3.0, -1.5, 0.0, 1.5, 3.0, 4.5)
_SIZES = (0.93, 1.0, 1.07)
_BLUR_PX = 1.2

Face = NDArray[np.uint8]
"""A face on the plane of the tops, (SIDE_PX, SIDE_PX, 3) BGR, its middle in the middle."""
_Rings = NDArray[np.complex128]
"""Slopes around a middle, (_TURNS, rings), of norm 1: the Fourier transforms along the rings."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign that a face may bear: the number it stands for, and whether it is clearly this one."""

    number: int
    clear: bool


def _flat(picture: Face) -> NDArray[np.float32]:
    """Return a face's smoothed grey levels."""
    grey = picture.astype(np.float32).mean(axis=-1)
    return np.asarray(cv2.GaussianBlur(grey, (0, 0), _BLUR_PX), np.float32)


def _rings(flat: NDArray[np.float32], shift_px: tuple[float, float] = (0.0, 0.0), size: float = 1.0) -> _Rings | None:
    """Return the slopes around a middle, outwards and along the rings; ``None`` where nothing stands out.

    Light that changes slowly across a face has hardly any slope.
    """
    middle = (SIDE_PX - 1) / 2
    step = _REACH * SIGN_PX * size / _RINGS
    around = middle + shift_px[0], middle + shift_px[1]
    flags = cv2.INTER_LINEAR + cv2.WARP_POLAR_LINEAR
    polar = cv2.warpPolar(flat, (_RINGS + 1, _TURNS), around, step * (_RINGS + 1), flags)
    wide = step * np.arange(1, _RINGS)
    outwards = (polar[:, 2:] - polar[:, :-2]) / (2 * step)
    along = (np.roll(polar, -1, axis=0) - np.roll(polar, 1, axis=0))[:, 1:-1] / (wide * 4 * np.pi / _TURNS)
    slopes = (outwards + 1j * along) * np.sqrt(wide)  # a wider ring is more of the face
    norm = float(np.linalg.norm(slopes))
    if norm < LEAST_SLOPE * np.sqrt(_TURNS * wide.sum()):
        return None
    return np.asarray(np.fft.fft(slopes / norm, axis=0), np.complex128)


def _alike(looks: Sequence[_Rings], kept: Sequence[_Rings]) -> NDArray[np.float64]:
    """Return correlations (looks, kept, _TURNS) of faces with kept ones, turned every way."""
    products = np.einsum("ltr,ktr->lkt", np.stack(looks), np.stack(kept).conj())
    return np.asarray(np.fft.ifft(products, axis=-1).real, np.float64)


@cache
def _pips() -> tuple[_Rings, ...]:
    """Return the rings of faces with 1 to 6 light pips, of several makes; dark pips are their negatives."""
    corners = [(-1, -1), (1, 1), (-1, 1), (1, -1)]
    lattice = (
        [(0, 0)],
        corners[:2],
        [(0, 0), *corners[:2]],
        corners,
        [(0, 0), *corners],
        [*corners, (0, -1), (0, 1)],
    )
    rows, columns = (np.indices((SIDE_PX, SIDE_PX)) - (SIDE_PX - 1) / 2) / SIGN_PX
    out = []
    for places, radius, apart in product(lattice, (0.07, 0.11, 0.17), (0.2, 0.27)):
        away = np.min([np.hypot(columns - x * apart, rows - y * apart) for x, y in places], axis=0)
        drawn = np.clip((radius - away) * SIGN_PX + 0.5, 0, 1)[..., None] * np.array([255.0, 255.0, 255.0])
        out.append(_rings(_flat(drawn.astype(np.uint8))))
    return tuple(one for one in out if one is not None)


def bears_something(picture: Face) -> bool:
    """Return whether anything stands out on a face."""
    return _rings(_flat(picture)) is not None


class Symbols:
    """Signs that were shown, each by the number it stands for."""

    def __init__(self, shown: Mapping[int, Sequence[Face]]) -> None:
        """Take faces as shown, by their numbers."""
        every = [(number, _rings(_flat(picture))) for number, pictures in shown.items() for picture in pictures]
        self._numbers = [number for number, rings in every if rings is not None]
        self._kept = [rings for _, rings in every if rings is not None]

    def __bool__(self) -> bool:
        return bool(self._kept)

    def sign_of(self, picture: Face) -> Sign | None:
        """Return the sign that fits a face best; ``None`` where none fits or pips fit better."""
        flat = _flat(picture)
        spots = product(_SHIFTS_PX, _SHIFTS_PX, _SIZES)
        looks = [one for x, y, size in spots if (one := _rings(flat, (x, y), size)) is not None]
        if not looks or not self._kept:
            return None
        fits = _alike(looks, self._kept).max(axis=(0, 2))
        alike = {
            number: max(fit for own, fit in zip(self._numbers, fits, strict=True) if own == number)
            for number in self._numbers
        }
        best = max(alike, key=lambda number: alike[number])
        pips = float(np.abs(_alike(looks, _pips())).max())
        other = max([fit for number, fit in alike.items() if number != best], default=-1.0)
        if alike[best] < MAYBE or alike[best] <= pips:
            return None
        return Sign(best, bool(alike[best] >= max(ALIKE, other + CLEARLY, pips + NOT_PIPS)))


NO_SYMBOLS = Symbols({})


def with_sign(odds: float, faces: Sequence[float], sign: Sign, told_from: float) -> tuple[float, tuple[float, ...]]:
    """Return what is known of a die, its sign taken in: its log-odds and the probabilities of 1 to 6.

    Where the networks tell one number from its pips and the sign another, or where the sign is not clear, no number
    is told; an unclear sign of the number they tell changes nothing.

    told_from: a number is told from this probability on.
    """
    pips = max(range(1, 7), key=lambda number: faces[number - 1])
    if sign.clear and (pips == sign.number or faces[pips - 1] < told_from):
        return odds + SIGN_NATS, _mostly(sign.number, SURE)
    if pips == sign.number or faces[pips - 1] <= OPEN:
        return odds, tuple(faces)
    return odds, _mostly(pips, OPEN)


def _mostly(number: int, chance: float) -> tuple[float, ...]:
    return tuple(chance if other == number else (1 - chance) / 5 for other in range(1, 7))
