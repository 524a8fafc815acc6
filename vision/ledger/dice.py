"""Dice that lie still: where they are, and what each shows on top, with probabilities.

A small network (training/dicenet.py) looks at the plane of the top faces (vision/ledger/plane.py) and tells of every
place whether a die's middle is there and which face lies on top. Cameras add up; what is not clear stays open.
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

from vision.ledger.plane import CELL_PX, DIE_PX, TopPlane, folded

TEMPERATURE = 1.45
"""Divisor of the network's scores that makes its probabilities right; found on renders kept out of training."""
THERE = 0.85
"""From this probability on a die lies somewhere, whatever it shows."""
LISTED = 0.05
"""Less likely places are not looked at closely."""
TOLD = 0.9
"""A face is told from this probability on."""
PAIR_TOLD = 0.8
"""A throw is told from this probability on: lower than a face's, for it is only filled in for a player to confirm. Of
900 rendered throws in good light and 290 in bad, kept out of training, none likelier than 0.77 was wrong; the
measurement was made on others."""
OTHER_NUMBER = 0.05
"""Probability, before anything is seen, that more or fewer dice lie there than are thrown."""
_NEAR = 0.2
"""Places this near a die's middle, in dice, speak for it."""
_APART = 0.7
"""No two dice's middles lie nearer, in dice."""
SAME = 0.4
"""Two cameras' dice that lie no further apart than this, in dice, are one."""
HIDDEN = 0.03
"""Share of dice whose top is hidden from a camera in whose picture they lie."""
SLIP = 0.002
"""Share of faces that a camera takes for another whatever the network says: dirt, a gleam, a worn pip."""
MOST_NATS = 12.0
"""Surer than this no network is believed."""

_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class DieSeen:
    """A die: its middle on the table (mm), how surely one lies there, and the probabilities of 1 to 6 on top."""

    at_mm: tuple[float, float]
    there: float
    faces: tuple[float, ...]

    @property
    def face(self) -> int | None:
        """Return the face on top, ``None`` where it is not sure."""
        best = max(self.faces)
        return self.faces.index(best) + 1 if best >= TOLD and self.there >= THERE else None


@cache
def _network() -> cv2.dnn.Net:
    data = (resources.files("vision") / "weights" / "dice" / "dice.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))


def place_scores(plane: TopPlane) -> NDArray[np.float64]:
    """Return the log-probabilities (rows, cols, 7) of every place: no die's middle, or one showing 1 to 6."""
    with _lock:  # a cv2.dnn network holds its own buffers and serves one caller at a time
        network = _network()
        network.setInput(folded(plane)[None])
        scores = np.asarray(network.forward(), np.float64)[0]
    scores = scores.transpose(1, 2, 0) / TEMPERATURE
    top = scores.max(axis=-1, keepdims=True)
    return np.asarray(scores - top - np.log(np.exp(scores - top).sum(axis=-1, keepdims=True)), np.float64)


def dice_of(plane: TopPlane, scores: NDArray[np.float64], least: float = LISTED) -> tuple[DieSeen, ...]:
    """Return the dice one camera may see, the surest first, from a probability on.

    scores: as from ``place_scores``.
    """
    chance = 1 - np.exp(scores[..., 0])
    chance[~_whole(plane, chance.shape)] = 0.0
    smooth = np.asarray(cv2.GaussianBlur(chance, (3, 3), 0.8), np.float64)
    grid = np.indices(chance.shape)
    reach = int(_APART * DIE_PX / CELL_PX)
    found: list[DieSeen] = []
    open_ = smooth.copy()
    while True:
        row, col = divmod(int(open_.argmax()), open_.shape[1])
        if open_[row, col] < least:
            return tuple(found)
        around = np.s_[max(0, row - reach) : row + reach + 1, max(0, col - reach) : col + reach + 1]
        rows, cols = grid[0][around], grid[1][around]
        away = np.hypot(rows - row, cols - col) * CELL_PX / DIE_PX
        here = (away <= _NEAR) & (chance[around] > 0)
        weight = chance[around][here]
        told = (scores[around][here][:, 1:] * weight[:, None]).sum(axis=0) / weight.sum()
        faces = np.exp(told - told.max())
        middle = np.array([[(cols[here] * weight).sum(), (rows[here] * weight).sum()]]) / weight.sum()
        at = plane.places_mm(middle * CELL_PX + (CELL_PX - 1) / 2)[0]
        there = float(weight.mean())
        found.append(DieSeen((float(at[0]), float(at[1])), there, tuple(float(p) for p in faces / faces.sum())))
        open_[around][away <= _APART] = 0.0


def _whole(plane: TopPlane, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return the mask of places where a whole top face lies within the picture."""
    inside = np.asarray(cv2.erode(plane.seen.astype(np.uint8), np.ones((DIE_PX, DIE_PX), np.uint8)), np.bool_)
    return np.asarray(inside[CELL_PX // 2 :: CELL_PX, CELL_PX // 2 :: CELL_PX][: shape[0], : shape[1]], np.bool_)


def places_of(looks: Sequence[Sequence[DieSeen]], die_mm: float) -> list[list[DieSeen | None]]:
    """Match the dice that cameras list by their places: for each place, what each camera says of it."""
    places: list[list[DieSeen | None]] = []
    for camera, look in enumerate(looks):
        for die in look:
            near = [place for place in places if place[camera] is None and _nearest(place, die) <= SAME * die_mm]
            if near:
                min(near, key=lambda place: _nearest(place, die))[camera] = die
            else:
                places.append([die if other == camera else None for other in range(len(looks))])
    return places


def _nearest(place: Sequence[DieSeen | None], die: DieSeen) -> float:
    return min(float(np.hypot(*np.subtract(one.at_mm, die.at_mm))) for one in place if one is not None)


def joined(at_mm: tuple[float, float], odds: Sequence[float], faces: Sequence[Sequence[float]]) -> DieSeen:
    """Combine the evidence of all cameras in whose picture a place lies.

    odds: each one's log-odds that a die's top is to be seen there. faces: each one's probabilities of 1 to 6, if so.
    From any camera but one the top may be hidden, by a hand or another die: what such a camera says counts nothing.
    """
    seen = np.exp(np.clip(odds, -MOST_NATS, MOST_NATS))[:, None] * (1 - HIDDEN)
    shown = 6 * ((1 - SLIP) * np.array(faces) + SLIP / 6)
    nobody = HIDDEN ** len(seen)
    ways = np.prod(seen * shown + HIDDEN, axis=0) - nobody
    likely = float(ways.mean()) / (1 - nobody)
    return DieSeen(at_mm, likely / (1 + likely), tuple(float(way) for way in ways / ways.sum()))


def thrown(dice: Sequence[DieSeen], number: int = 2) -> tuple[tuple[int, ...], float]:
    """Return the likeliest throw of so many dice, left to right, and its probability; empty where too few lie there.

    Any of the places may be dice; that so many are is likelier than any other number before anything is seen.
    """
    likeliest = sorted(dice, key=lambda die: -die.there)[:number]
    if len(likeliest) < number:
        return (), 0.0
    ways = np.zeros(number + 1)
    ways[0] = 1.0
    for die in dice:  # ways[k]: the chance that k of the places so far are dice
        ways[1:] = ways[1:] * (1 - die.there) + ways[:-1] * die.there
        ways[0] *= 1 - die.there
    these = float(np.prod([die.there if die in likeliest else 1 - die.there for die in dice]))
    sure = these / max(float(ways[number]) + OTHER_NUMBER * (1 - float(ways[number])), 1e-12)
    shown = sorted(likeliest, key=lambda die: die.at_mm)
    faces = tuple(int(np.argmax(die.faces)) + 1 for die in shown)
    return faces, sure * float(np.prod([max(die.faces) for die in shown]))


def pair_of(dice: Sequence[DieSeen], number: int = 2) -> tuple[int, ...] | None:
    """Return the faces of exactly so many dice, left to right.

    ``None`` where more, fewer or unclear ones lie there.
    """
    faces, sure = thrown(dice, number)
    return faces if sure >= PAIR_TOLD else None


def still(before: Sequence[DieSeen], now: Sequence[DieSeen], die_mm: float) -> bool:
    """Return whether two looks show the same dice in the same places: none has come, gone, moved or tipped over."""
    ours, theirs = ([die for die in look if die.there >= THERE] for look in (before, now))
    if len(ours) != len(theirs):
        return False
    return all(
        any(np.hypot(*np.subtract(a.at_mm, b.at_mm)) < 0.15 * die_mm and a.face == b.face for b in theirs)
        for a in ours
    )
