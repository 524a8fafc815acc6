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
"""What the network's scores are divided by so that they mean what they say; found on renders kept out of training."""
THERE = 0.85
"""From this probability on a die lies somewhere, whatever it shows."""
LISTED = 0.05
"""Less likely places are not looked at closely."""
TOLD = 0.9
"""A face is told from this probability on."""
PAIR_TOLD = 0.9
"""A throw is told from this probability on; set on renders kept out of training and of the measurement."""
OTHER_NUMBER = 0.05
"""How likely it is that more or fewer dice lie there than are thrown, before anything is seen."""
_NEAR = 0.2
"""Places this near a die's middle, in dice, speak for it."""
_APART = 0.7
"""No two dice's middles lie nearer, in dice."""
SAME = 0.4
"""Two cameras' dice that lie no further apart than this, in dice, are one."""

_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class DieSeen:
    """A die: its middle on the table (mm), how surely one lies there, and the probabilities of 1 to 6 on top."""

    at_mm: tuple[float, float]
    there: float
    faces: tuple[float, ...]

    @property
    def face(self) -> int | None:
        """The face on top, ``None`` where it can't be told."""
        best = max(self.faces)
        return self.faces.index(best) + 1 if best >= TOLD and self.there >= THERE else None


@cache
def _network() -> cv2.dnn.Net:
    data = (resources.files("vision") / "weights" / "dice" / "dice.onnx").read_bytes()
    return cv2.dnn.readNetFromONNX(np.frombuffer(data, np.uint8))


def place_scores(plane: TopPlane) -> NDArray[np.float64]:
    """Log-probabilities (rows, cols, 7) of every place: no die's middle, or one showing 1 to 6."""
    with _lock:  # a cv2.dnn network holds its own buffers and serves one caller at a time
        network = _network()
        network.setInput(folded(plane)[None])
        scores = np.asarray(network.forward(), np.float64)[0]
    scores = scores.transpose(1, 2, 0) / TEMPERATURE
    top = scores.max(axis=-1, keepdims=True)
    return np.asarray(scores - top - np.log(np.exp(scores - top).sum(axis=-1, keepdims=True)), np.float64)


def dice_of(plane: TopPlane, scores: NDArray[np.float64], least: float = LISTED) -> tuple[DieSeen, ...]:
    """The dice one camera may see, the surest first, from a probability on; ``scores`` as from ``place_scores``."""
    chance = 1 - np.exp(scores[..., 0])
    chance[~_whole(plane, chance.shape)] = 0.0
    smooth = np.asarray(cv2.GaussianBlur(chance, (3, 3), 0.8), np.float64)
    grid = np.indices(chance.shape)
    rows, cols = grid[0], grid[1]
    found: list[DieSeen] = []
    taken = np.zeros(chance.shape, np.bool_)
    while True:
        open_ = np.where(taken, 0.0, smooth)
        row, col = divmod(int(open_.argmax()), open_.shape[1])
        if open_[row, col] < least:
            return tuple(found)
        away = np.hypot(rows - row, cols - col) * CELL_PX / DIE_PX
        here = (away <= _NEAR) & (chance > 0)
        weight = chance[here]
        told = (scores[here][:, 1:] * weight[:, None]).sum(axis=0) / weight.sum()
        faces = np.exp(told - told.max())
        middle = np.array([[(cols[here] * weight).sum(), (rows[here] * weight).sum()]]) / weight.sum()
        at = plane.places_mm(middle * CELL_PX + (CELL_PX - 1) / 2)[0]
        there = float(weight.mean())
        found.append(DieSeen((float(at[0]), float(at[1])), there, tuple(float(p) for p in faces / faces.sum())))
        taken |= away <= _APART


def _whole(plane: TopPlane, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Places where a whole top face lies within the picture."""
    inside = np.asarray(cv2.erode(plane.seen.astype(np.uint8), np.ones((DIE_PX, DIE_PX), np.uint8)), np.bool_)
    return np.asarray(inside[CELL_PX // 2 :: CELL_PX, CELL_PX // 2 :: CELL_PX][: shape[0], : shape[1]], np.bool_)


def together(looks: Sequence[Sequence[DieSeen]], die_mm: float) -> tuple[DieSeen, ...]:
    """What several cameras say of the same dice, the surest first."""
    groups: list[list[DieSeen]] = []
    for die in (die for look in looks for die in look):
        near = [g for g in groups if np.hypot(*np.subtract(g[0].at_mm, die.at_mm)) <= SAME * die_mm]
        if near:
            near[0].append(die)
        else:
            groups.append([die])
    return tuple(sorted((_joined(group) for group in groups), key=lambda die: -die.there))


def _joined(group: Sequence[DieSeen]) -> DieSeen:
    scores = np.log(np.maximum([die.faces for die in group], 1e-6)).sum(axis=0)
    faces = np.exp(scores - scores.max())
    at = np.mean([die.at_mm for die in group], axis=0)
    there = 1 - float(np.prod([1 - die.there for die in group]))
    return DieSeen((float(at[0]), float(at[1])), there, tuple(float(p) for p in faces / faces.sum()))


def thrown(dice: Sequence[DieSeen], number: int = 2) -> tuple[tuple[int, ...], float]:
    """The likeliest throw of so many dice, faces left to right, and how likely it is; none where too few lie there.

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
    """The faces of exactly so many dice, left to right; ``None`` where more, fewer or unclear ones lie there."""
    faces, sure = thrown(dice, number)
    return faces if sure >= PAIR_TOLD else None


def still(before: Sequence[DieSeen], now: Sequence[DieSeen], die_mm: float) -> bool:
    """Whether two looks show the same dice in the same places: none has come, gone, moved or tipped over."""
    ours, theirs = ([die for die in look if die.there >= THERE] for look in (before, now))
    if len(ours) != len(theirs):
        return False
    return all(
        any(np.hypot(*np.subtract(a.at_mm, b.at_mm)) < 0.15 * die_mm and a.face == b.face for b in theirs)
        for a in ours
    )
