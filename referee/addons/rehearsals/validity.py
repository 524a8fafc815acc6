"""Say when a rehearsal no longer holds: it is old, or the table is not the one that was rehearsed."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from referee.values.words import Words, decimal, say, verbatim

MONTHS = 12
"""A rehearsal holds so long."""
MOVED_MM = 5.0
"""A camera that stands so far from where it stood looks past other stones' edges. Poses of a camera that stands still
scatter by 0.3 mm."""
TURNED_PX = 20.0
"""So far the board may have shifted in the picture: a camera that only turned sees it through other glass."""
LIGHT_STOPS = 0.6
"""The frame's paper may be so much darker or brighter than in any rehearsed look: a lamp of two that goes out takes
a whole stop."""
SHADE_STOPS = 0.25
"""The same for one part of the frame against the others: a lamp that went out or moved is told by where its light is
missing, even where the camera makes up for it."""
EDGE_TIMES, EDGE_PX = 1.25, 0.5
"""Edges may be so much wider than in the rehearsed looks, and so many pixels besides."""
CONTRAST_SHARE = 0.75
"""Print on the frame must keep so much of its contrast: a smeared lens lays light over the dark."""

Numbers = tuple[float, ...]


class Reason(StrEnum):
    """Why a rehearsal does not hold."""

    AGE = "age"
    MOVED = "moved"
    LIGHT = "light"
    SMEARED = "smeared"
    PIECES = "pieces"
    CAMERAS = "cameras"


RENEWABLE = frozenset({Reason.AGE, Reason.MOVED, Reason.LIGHT})
"""What a short check makes good: it shows that the table still reads as rehearsed. Other pieces and other cameras are
another table, and a smeared lens is to be wiped."""


_PASSING = frozenset({Reason.LIGHT, Reason.SMEARED})
"""What an arm over the frame, or its shadow, looks like as well."""


@dataclass(frozen=True, slots=True)
class Lapse:
    """A reason why a rehearsal does not hold, in words."""

    reason: Reason
    words: Words


@dataclass(frozen=True, slots=True)
class CameraConditions:
    """What one camera's pictures of the frame were like.

    lens: identity of its calibration. at_mm: (3,) where it stood, ``None`` for one in a hand. rim_px: where the
    board's corners lay in its picture, x and y in turn; empty for one in a hand. darkest, brightest: least and
    greatest brightness of the paper in each part of the frame over all looks, 0 to 255, -1 where it was not seen.
    edge_px: greatest width of each marker's edges. contrast: least share of the paper's brightness that the print
    takes away.
    """

    name: str
    lens: str
    at_mm: tuple[float, float, float] | None
    rim_px: Numbers
    darkest: Numbers
    brightest: Numbers
    edge_px: Mapping[int, float]
    contrast: float

    def to_json(self) -> dict[str, object]:
        """Return JSON-able values."""
        return {
            "name": self.name,
            "lens": self.lens,
            "at_mm": None if self.at_mm is None else list(self.at_mm),
            "rim_px": list(self.rim_px),
            "darkest": list(self.darkest),
            "brightest": list(self.brightest),
            "edge_px": {str(number): width for number, width in self.edge_px.items()},
            "contrast": self.contrast,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what ``to_json`` wrote."""
        at = data["at_mm"]
        x, y, z = (0.0, 0.0, 0.0) if at is None else (float(each) for each in at)
        rim, darkest, brightest = (
            tuple(float(each) for each in data[key]) for key in ("rim_px", "darkest", "brightest")
        )
        if len(darkest) != len(brightest):
            raise ValueError("darkest and brightest have different lengths")
        edges = {int(number): float(width) for number, width in data["edge_px"].items()}
        return cls(
            str(data["name"]), str(data["lens"]), None if at is None else (x, y, z), rim, darkest, brightest,
            edges, float(data["contrast"]),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Conditions:
    """Under which a table was rehearsed. pieces: identity of board, frame, stones and pieces in table.json."""

    pieces: str
    cameras: tuple[CameraConditions, ...]

    def to_json(self) -> dict[str, object]:
        """Return JSON-able values."""
        return {"pieces": self.pieces, "cameras": [camera.to_json() for camera in self.cameras]}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what ``to_json`` wrote."""
        return cls(str(data["pieces"]), tuple(CameraConditions.from_json(each) for each in data["cameras"]))

    def widened(self, other: Conditions) -> Conditions:
        """Return the conditions of both; cameras stand where they stand in the other."""
        mine = {camera.name: camera for camera in self.cameras}
        both = [_widened(mine[each.name], each) if each.name in mine else each for each in other.cameras]
        named = {each.name for each in other.cameras}
        return Conditions(other.pieces, (*both, *(each for each in self.cameras if each.name not in named)))


def _widened(old: CameraConditions, new: CameraConditions) -> CameraConditions:
    edges = {**old.edge_px, **new.edge_px}
    return replace(
        new,
        darkest=tuple(map(min, old.darkest, new.darkest)),
        brightest=tuple(map(max, old.brightest, new.brightest)),
        edge_px={number: max(width, old.edge_px.get(number, 0.0)) for number, width in edges.items()},
        contrast=min(old.contrast, new.contrast),
    )


_TOLD: Mapping[Reason, Words] = {
    Reason.AGE: say("The rehearsal of this table is more than twelve months old: a short check renews it."),
    Reason.MOVED: say("A camera was moved since this table was rehearsed: a short check renews the rehearsal."),
    Reason.LIGHT: say("The light has changed since this table was rehearsed: a short check renews the rehearsal."),
    Reason.SMEARED: say("Pictures are less sharp than when this table was rehearsed: wipe the lenses."),
    Reason.PIECES: say("Board or pieces are not those that this table was rehearsed with: rehearse it anew."),
    Reason.CAMERAS: say("A camera or its lens is not the one that this table was rehearsed with: rehearse it anew."),
}


def told_players(lapsed: Sequence[Lapse]) -> Words | None:
    """Return one sentence for the players on a rehearsal that no longer holds; ``None`` where it does."""
    return _TOLD[lapsed[0].reason] if lapsed else None


def ends_on(made: date) -> date:
    """Return the day on which what was made on a day no longer holds."""
    year, month = made.year + (made.month - 1 + MONTHS) // 12, (made.month - 1 + MONTHS) % 12 + 1
    return date(year, month, min(made.day, monthrange(year, month)[1]))


def too_old(made: date, today: date) -> tuple[Lapse, ...]:
    """Return whether so many months have gone by."""
    if today < ends_on(made):
        return ()
    return (Lapse(Reason.AGE, say("The rehearsal is older than {n} months.", n=MONTHS)),)


def lapses(rehearsed: Conditions, now: Conditions) -> tuple[Lapse, ...]:
    """Return why a rehearsal does not hold under the conditions there are now, the gravest first.

    Cameras that give no picture now say nothing: play is watched by the others, whose figures were stated as well.
    """
    found: list[Lapse] = []
    if rehearsed.pieces != now.pieces:
        words = say("Board, frame, stones or pieces in table.json are others than those rehearsed with.")
        found.append(Lapse(Reason.PIECES, words))
    known = {camera.name: camera for camera in rehearsed.cameras}
    for camera in now.cameras:
        old = known.get(camera.name)
        if old is None or old.lens != camera.lens:
            words = say("{camera} or its lens is not the one rehearsed with.", camera=verbatim(camera.name))
            found.append(Lapse(Reason.CAMERAS, words))
        else:
            found += [each for each in (_moved(old, camera), _smeared(old, camera), _lit(old, camera)) if each]
    return tuple(found)


def lasting(now: Sequence[Lapse], before: Sequence[Lapse]) -> tuple[Lapse, ...]:
    """Return which lapses of a measurement count: of those that an arm may feign, only what was there before too."""
    return tuple(each for each in now if each.reason not in _PASSING or each in before)


def _moved(old: CameraConditions, now: CameraConditions) -> Lapse | None:
    if old.at_mm is None or now.at_mm is None:
        return None
    mm = float(np.linalg.norm(np.subtract(now.at_mm, old.at_mm)))
    px = 0.0
    if len(old.rim_px) == len(now.rim_px) > 0:
        px = float(np.linalg.norm(np.subtract(now.rim_px, old.rim_px).reshape(-1, 2), axis=1).mean())
    if mm <= MOVED_MM and px <= TURNED_PX:
        return None
    words = say(
        "{camera} was moved: by {mm} mm, and the board lies {px} px from where it lay in its picture "
        "({most_mm} mm and {most_px} px are allowed).",
        camera=verbatim(now.name), mm=decimal(mm), px=decimal(px, 0), most_mm=decimal(MOVED_MM, 0),
        most_px=decimal(TURNED_PX, 0),
    )  # fmt: skip
    return Lapse(Reason.MOVED, words)


def _smeared(old: CameraConditions, now: CameraConditions) -> Lapse | None:
    both = [number for number in now.edge_px if number in old.edge_px]
    wide = [n for n in both if now.edge_px[n] > EDGE_TIMES * old.edge_px[n] + EDGE_PX]
    # One marker may be half covered by a hand or a glass; a smear lies over several.
    if len(wide) < max(2, len(both) / 5) and now.contrast >= CONTRAST_SHARE * old.contrast:
        return None
    words = say(
        "{camera}’s picture is less clear than in the rehearsal: wipe its lens, and see to its focus.",
        camera=verbatim(now.name),
    )
    return Lapse(Reason.SMEARED, words)


def _lit(old: CameraConditions, now: CameraConditions) -> Lapse | None:
    if len(old.darkest) != len(now.darkest):
        return None
    seen = np.minimum(old.darkest, now.darkest) >= 0
    if not seen.any():
        return None
    low, high, darker, brighter = (
        _stops(each, seen) for each in (old.darkest, old.brightest, now.darkest, now.brightest)
    )
    level = max(float(np.median(low - darker)), float(np.median(brighter - high)))
    shade = max(
        float((_even(low) - _even(darker)).max()), float((_even(brighter) - _even(high)).max())
    )  # fmt: skip
    if level <= LIGHT_STOPS and shade <= SHADE_STOPS:
        return None
    words = say(
        "The light is another than in the rehearsal, as {camera} sees it: switch the same lamps on, or rehearse in "
        "this light.",
        camera=verbatim(now.name),
    )
    return Lapse(Reason.LIGHT, words)


def _stops(brightness: Numbers, seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    return np.log2(np.maximum(np.array(brightness, np.float64)[seen], 1.0))


def _even(stops: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how each part of the frame is lit against the middle one."""
    return stops - np.median(stops)
