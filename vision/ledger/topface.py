"""Cuts top faces out of the picture; a network of its own tells whether a die's top is there, and which.

A place that may be a die (vision/ledger/dice.py) is cut out on the plane of the top faces, turned several ways and
moved a little, each cut freed of its colours: what is left is how pips stand out from their face, whatever the two
colours are. The network (training/topnet.py) sees every cut; what it says of them is averaged.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.shrinking import shrunk
from vision.ledger.dice import LISTED, MOST_NATS, TOLD, DieSeen, joined, places_of
from vision.ledger.symbols import NO_SYMBOLS, SIDE_PX, SIGN_PX, Symbols, with_sign

FACE_PX, CUT_PX = 24, 40
"""Side of a die's top face in a cut, and of the cut, pixels."""
CUT_CHANNELS = 8
"""Channels of a cut: its three colours by the whole face's contrast and by that close by, the slope to the camera."""
FINER = 1.6
"""A picture this many times finer than the cuts is shrunk first, or it would alias."""
TEMPERATURE = 1.28
"""Divisor of the network's scores that makes its probabilities right. Below are the weights of the two networks'
log-odds that a die lies there, and what is added: all found on renders kept out of training."""
FIRST, CLOSELY, EVENLY = 0.44, 0.84, -2.54
MOST_PLACES = 24
"""No more places are looked at closely."""
_NOISE = 1.5
"""Grey levels: fainter differences than this are not made larger."""
_MOST = 4.0
_SHIFTS = ((0.0, 0.0), (0.08, 0.05), (-0.05, 0.08), (-0.08, -0.05), (0.05, -0.08), (0.0, 0.0))
"""Middles of the cuts, in dice; a sixth of a turn lies between one and the next."""

_AROUND = tuple((0.18 * float(np.cos(turn)), 0.18 * float(np.sin(turn))) for turn in np.arange(8) * np.pi / 4)
"""Other middles of a doubtful place, in dice: two dice that touch are found too far apart or too near."""
_CENTRED = 0.5
"""Probability, before the second network has looked, that a middle lies where it was found and not around it."""
_LIKELY, _DOUBTFUL = 0.2, 5.0
"""Doubtful is a place from this probability on, by the first network, about which both are not surer than so many
nats, or whose face is not told."""
_ALL = tuple(range(len(_SHIFTS)))
_FEW = tuple((k % 3, k % 3 + 3) for k in range(len(_AROUND)))
"""Two cuts of each middle around a place, half a turn apart; others for the next one."""
_UNLIKELY = -3.0
"""Log-odds of a die below which these few cuts are enough: print that might be dice costs most where a mat was never
taught. On 42 pictures of such mats they told what all cuts tell, and throws were less sure by 0.008 at most."""

_lock = threading.Lock()


def _window() -> NDArray[np.float32]:
    """Return how much a pixel of a cut counts for its face's contrast; the weights sum to 1."""
    away = np.arange(CUT_PX) - (CUT_PX - 1) / 2
    line = np.exp(-0.5 * (away / (0.3 * FACE_PX)) ** 2)
    return np.asarray(np.outer(line, line) / line.sum() ** 2, np.float32)


_WINDOW = _window()


def cut_inputs(cuts: NDArray[np.float32], slopes: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the network's input (n, CUT_CHANNELS, CUT_PX, CUT_PX), alike for cuts of any two colours.

    cuts: (n, CUT_PX, CUT_PX, 3) in grey levels. slopes: (n, 2) right and down, how far towards the camera the foot of
    a die lies from its top, in dice.
    """
    out = np.empty((len(cuts), CUT_CHANNELS, CUT_PX, CUT_PX), np.float32)
    for cut, slope, into in zip(cuts, slopes, out, strict=True):
        even = cut - (cut * _WINDOW[..., None]).sum(axis=(0, 1))
        spread = np.sqrt((even**2 * _WINDOW[..., None]).sum() / 3)
        close = cut - cv2.GaussianBlur(cut, (0, 0), 0.22 * FACE_PX)
        power = cv2.GaussianBlur((close**2).mean(axis=-1), (0, 0), 0.28 * FACE_PX)
        both = even / (spread + _NOISE), close / (np.sqrt(power) + _NOISE)[..., None]
        into[:6] = np.clip(np.concatenate(both, axis=-1), -_MOST, _MOST).transpose(2, 0, 1) / 2
        into[6:] = slope[:, None, None]
    return out


def cut_out(
    picture: NDArray[np.uint8], placed: NDArray[np.float64], side_px: int, face_px: float
) -> NDArray[np.uint8]:
    """Cut a square (side_px, side_px, 3) out of the picture.

    placed: (3, 3) from places around the cut's middle, in dice, right and down, to the picture's pixels.
    """
    middle = (side_px - 1) / 2
    from_px = np.array([[1 / face_px, 0, -middle / face_px], [0, 1 / face_px, -middle / face_px], [0, 0, 1]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    size = (side_px, side_px)
    border = cv2.BORDER_REPLICATE
    return np.asarray(cv2.warpPerspective(picture, placed @ from_px, size, flags=flags, borderMode=border), np.uint8)


class TopCutter:
    """Cuts top faces out of one undistorted picture.

    matrix: (3, 3) intrinsics of the picture, (h, w, 3) BGR. rotation, translation_mm: table to camera. die_mm: a
    die's side. about_mm: (2,) where on the table the dice lie, for the scale.
    """

    def __init__(
        self,
        picture: NDArray[np.uint8],
        matrix: NDArray[np.float64],
        rotation: NDArray[np.float64],
        translation_mm: NDArray[np.float64],
        die_mm: float,
        about_mm: tuple[float, float],
    ) -> None:
        self._eye = -rotation.T @ translation_mm
        self._die_mm = die_mm
        distance_mm = float((rotation @ np.array([*about_mm, die_mm]) + translation_mm)[2])
        factor = FINER * distance_mm / float(matrix[0, 0]) / (die_mm / FACE_PX)
        self._picture, matrix = shrunk(picture, matrix, factor)
        self._plane = matrix @ np.column_stack(
            [rotation[:, 0], rotation[:, 1], rotation[:, 2] * die_mm + translation_mm]
        )

    def axes(self, at_mm: tuple[float, float], turn: float) -> NDArray[np.float64]:
        """Return the table directions of a cut's right and down, (2, 2) columns; unturned, the camera is below."""
        towards = self._eye[:2] - np.array(at_mm)
        angle = float(np.arctan2(-towards[1], towards[0])) - np.pi / 2 + turn
        cos, sin = np.cos(angle), np.sin(angle)
        return np.array([[cos, -sin], [-sin, -cos]])

    def holds(self, at_mm: tuple[float, float]) -> bool:
        """Return whether a whole top face, however turned, lies in the picture."""
        half = self._die_mm * np.sqrt(0.5)
        around = np.array([[x, y] for x in (-half, half) for y in (-half, half)]) + at_mm
        seen = np.column_stack([around, np.ones(4)]) @ self._plane.T
        height, width = self._picture.shape[:2]
        if (seen[:, 2] <= 0).any():
            return False
        at_px = seen[:, :2] / seen[:, 2:]
        return bool((at_px >= 0).all() and (at_px <= (width - 1, height - 1)).all())

    def slope(self, at_mm: tuple[float, float], turn: float) -> NDArray[np.float64]:
        """Return how far towards the camera the foot of a die lies from its top, (2,) right and down, in dice."""
        away = (self._eye[:2] - np.array(at_mm)) / (self._eye[2] - self._die_mm)
        return np.asarray(away @ self.axes(at_mm, turn), np.float64)

    def cut(
        self, at_mm: tuple[float, float], turn: float = 0.0, side_px: int = CUT_PX, face_px: float = FACE_PX
    ) -> NDArray[np.uint8]:
        """Cut a square (side_px, side_px, 3) around a place (mm on the plane of the tops)."""
        placed = np.eye(3)
        placed[:2, :2] = self.axes(at_mm, turn) * self._die_mm
        placed[:2, 2] = at_mm
        return cut_out(self._picture, self._plane @ placed, side_px, face_px)

    def several(
        self, at_mm: tuple[float, float], which: Sequence[int] = _ALL
    ) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
        """Return cuts (n, CUT_PX, CUT_PX, 3) of one place, turned and moved a little, and their slopes (n, 2)."""
        turns = [2 * np.pi * k / len(_SHIFTS) for k in which]
        spots = [(at_mm[0] + x * self._die_mm, at_mm[1] + y * self._die_mm) for x, y in (_SHIFTS[k] for k in which)]
        cuts = [self.cut(spot, turn) for spot, turn in zip(spots, turns, strict=True)]
        slopes = [self.slope(spot, turn) for spot, turn in zip(spots, turns, strict=True)]
        return np.stack(cuts), np.stack(slopes)


@cache
def _network() -> cv2.dnn.Net:
    data = (resources.files("vision") / "weights" / "dice" / "tops.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))


def top_scores(
    cutter: TopCutter, places_mm: Sequence[tuple[float, float]], which: Sequence[Sequence[int]] | None = None
) -> NDArray[np.float64]:
    """Score places by the mean over each one's cuts, (n, 7): no die's top, or one that shows 1 to 6.

    which: numbers of each place's cuts that are looked at, equally many of each; ``None`` for all.
    """
    if not places_mm:
        return np.zeros((0, 7))
    chosen = which or [_ALL] * len(places_mm)
    each = [cutter.several(at_mm, own) for at_mm, own in zip(places_mm, chosen, strict=True)]
    cuts = np.concatenate([cuts for cuts, _ in each]).astype(np.float32)
    given = cut_inputs(cuts, np.concatenate([slopes for _, slopes in each]))
    with _lock:  # a cv2.dnn network holds its own buffers and serves one caller at a time
        network = _network()
        network.setInput(given)
        scores = np.asarray(network.forward(), np.float64)
    return np.asarray(scores.reshape(len(places_mm), len(chosen[0]), -1).mean(axis=1), np.float64)


@dataclass(frozen=True, eq=False)
class DiceLook:
    """One camera's picture and the places where, by the first network, a die may lie."""

    cutter: TopCutter
    dice: Sequence[DieSeen]


_MAY_BEAR_SIGN = -6.0
"""Log-odds that a die lies there from which on its top is compared with the signs that were shown."""


def looked_at_closely(looks: Sequence[DiceLook], die_mm: float, symbols: Symbols = NO_SYMBOLS) -> tuple[DieSeen, ...]:
    """Read the places that may be dice by all cameras and both networks, the surest first.

    Both networks tell whether a die lies there; the cuts alone tell what it shows. A place that one camera lists is
    looked at by all in whose picture it lies. symbols: signs that faces may bear in place of pips.
    """
    every = places_of([look.dice for look in looks], die_mm)
    surest = sorted(every, key=lambda place: -max(die.there for die in place if die is not None))
    places = surest[:MOST_PLACES]
    spots = [_between([die for die in place if die is not None]) for place in places]
    odds: list[list[float]] = [[] for _ in places]
    faces: list[list[tuple[float, ...]]] = [[] for _ in places]
    for camera, look in enumerate(looks):
        own = [place[camera] for place in places]
        at = [spot if die is None else die.at_mm for die, spot in zip(own, spots, strict=True)]
        seen = [k for k, die in enumerate(own) if die is not None or look.cutter.holds(at[k])]
        for k, scores in zip(seen, top_scores(look.cutter, [at[k] for k in seen]), strict=True):
            die = own[k]
            there = LISTED if die is None else die.there
            told = scores if not _doubtful(there, scores) else _wherever(look.cutter, at[k], scores, die_mm, there)
            likely, shown = _odds(there, told), _faces(told)
            if symbols and likely >= _MAY_BEAR_SIGN:
                sign = symbols.sign_of(look.cutter.cut(at[k], 0.0, SIDE_PX, SIGN_PX))
                if sign is not None:
                    likely, shown = with_sign(likely, shown, sign, TOLD)
            odds[k].append(likely)
            faces[k].append(shown)
    every_place = [joined(*each) for each in zip(spots, odds, faces, strict=True)]
    return tuple(sorted(every_place, key=lambda die: -die.there))


def _doubtful(there: float, scores: NDArray[np.float64]) -> bool:
    odds = _odds(there, scores)
    return there >= _LIKELY and odds > -_DOUBTFUL and (odds < _DOUBTFUL or max(_faces(scores)) < TOLD)


def _wherever(
    cutter: TopCutter, at_mm: tuple[float, float], scores: NDArray[np.float64], die_mm: float, there: float
) -> NDArray[np.float64]:
    """Return scores (7,) of a place whose middle may lie beside it: by few cuts where no die is likely even so.

    there: what the first network says.
    """
    spots = [(at_mm[0] + x * die_mm, at_mm[1] + y * die_mm) for x, y in _AROUND]
    beside = top_scores(cutter, spots, _FEW)
    told = _over_middles(scores, beside)
    if _odds(there, told) < _UNLIKELY:
        return told
    rest = [tuple(k for k in _ALL if k not in few) for few in _FEW]
    share = len(_FEW[0]) / len(_ALL)
    return _over_middles(scores, share * beside + (1 - share) * top_scores(cutter, spots, rest))


def _over_middles(scores: NDArray[np.float64], beside: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean over all possible middles, (7,): the one found, (7,), and those around, (n, 7)."""
    each = np.vstack([scores, beside])
    odds = np.array([_bounded(_some(one)) for one in each])
    weights = np.append(_CENTRED, np.full(len(_AROUND), (1 - _CENTRED) / len(_AROUND))) * np.exp(odds - odds.max())
    shown = np.log(weights @ np.array([_faces(one) for one in each]) / weights.sum()) * TEMPERATURE
    some = float(np.log(weights.sum()) + odds.max())
    return np.append(np.logaddexp.reduce(shown) - some, shown)


def _some(scores: NDArray[np.float64]) -> float:
    """Return the log-odds that a die's top is there, by scores (7,) of the second network alone."""
    return float(np.logaddexp.reduce(scores[1:]) - scores[0])


def _between(dice: Sequence[DieSeen]) -> tuple[float, float]:
    at = np.average([die.at_mm for die in dice], axis=0, weights=[die.there for die in dice])
    return float(at[0]), float(at[1])


def _odds(there: float, scores: NDArray[np.float64]) -> float:
    """Return the log-odds that a die's top is to be seen.

    there: what the first network says. scores: (7,) of the second.
    """
    first = float(np.log(max(there, 1e-9) / max(1 - there, 1e-9)))
    return FIRST * _bounded(first) + CLOSELY * _bounded(_some(scores)) + EVENLY


def _faces(scores: NDArray[np.float64]) -> tuple[float, ...]:
    chances = np.exp((scores[1:] - scores[1:].max()) / TEMPERATURE)
    return tuple(float(part) for part in chances / chances.sum())


def _bounded(nats: float) -> float:
    return float(np.clip(nats, -MOST_NATS, MOST_NATS))
