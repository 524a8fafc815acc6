"""Shows the camera a face of a die that bears a sign in place of pips: from a tap in a picture to what is kept."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from vision.geometry.view import View
from vision.ledger.dice import LISTED, DieSeen
from vision.ledger.places import Places
from vision.ledger.plane import Area
from vision.ledger.reader import dice_look
from vision.ledger.symbols import MOST_KEPT, SIDE_PX, SIGN_PX, Face, Symbols, bears_something
from vision.ledger.teaching import on_mat
from vision.ledger.topface import DiceLook, looked_at_closely

_AROUND, _NEAR = 3.0, 0.6
"""Dice are looked for so far around a tap, in dice; the nearest is meant, if it is this near."""


class Refusal(Enum):
    """Why a face that was tapped is not kept."""

    EMPTY = "nothing stands out on it"
    PIPS = "its pips are read as another number"
    OTHER = "it looks like the sign of another number"


@dataclass(frozen=True, eq=False)
class ShownFace:
    """A face that was tapped. told: the number read from its pips, ``None`` where none is told."""

    picture: Face
    told: int | None


def shown_face(view: View, die_mm: float, tap_px: tuple[float, float]) -> ShownFace:
    """Return the top face of the die that was tapped, or what lies under the tap where no die is found.

    Raises CalibrationError for a tap over the horizon.
    """
    x, y = (float(part) for part in on_mat(view, np.array([tap_px]), die_mm)[0])
    reach = _AROUND * die_mm
    look = dice_look(view, die_mm, Area((x - reach, y - reach), (x + reach, y + reach)))

    def away(die: DieSeen) -> float:
        return float(np.hypot(die.at_mm[0] - x, die.at_mm[1] - y))

    die = min(look.dice, key=away, default=None)
    if die is None or away(die) > _NEAR * die_mm:
        die = DieSeen((x, y), LISTED, (1 / 6,) * 6)
    (read,) = looked_at_closely([DiceLook(look.cutter, [die])], die_mm)
    return ShownFace(look.cutter.cut(die.at_mm, 0.0, SIDE_PX, SIGN_PX), read.face)


def refused(shown: ShownFace, number: int, places: Places) -> Refusal | None:
    """Return why a face can't be kept for a number; ``None`` where it can."""
    if not bears_something(shown.picture):
        return Refusal.EMPTY
    if shown.told not in (None, number):
        return Refusal.PIPS
    others = {other: faces for other, faces in places.symbols.items() if other != number}
    sign = Symbols(others).sign_of(shown.picture)
    return Refusal.OTHER if sign is not None and sign.clear else None


def with_face(places: Places, number: int, face: Face) -> Places:
    """Return the places with one more picture of a number's face, its newest ones."""
    kept = (*places.symbols.get(number, ()), face)[-MOST_KEPT:]
    return replace(places, symbols={**places.symbols, number: kept})


def without(places: Places, number: int) -> Places:
    """Return the places without a number's sign."""
    return replace(places, symbols={other: faces for other, faces in places.symbols.items() if other != number})
