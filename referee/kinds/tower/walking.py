"""A tower shown by a camera in a hand: each picture is a view, and its holder is told which side to show next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

import numpy as np

from referee.kinds.tower.observation import SIDES, TowerEvidence, cells_told, outer
from referee.match.decision import ShowFrom
from referee.match.events import CameraNote
from referee.session.capture import Pictures
from referee.session.going import go_to
from referee.values.board import Field
from referee.values.words import say
from vision.geometry.view import roams
from vision.nextview import side_of

ELEVATION_DEG = 35
"""Height from which a side of a tower is shown best, over the board."""
MOST_OF_A_SIDE = 2
"""Pictures of one side after which another one tells no more."""
MOST_DOUBTS = 8
"""Cells that are named as doubtful."""
_PLACES_DEG = tuple(range(0, 360, 45))
_SHOWS_DEG = 50.0
"""Up to so far from straight before it, a camera shows a side well."""
_STEP_COSTS = 0.1
"""Share of a side that an eighth of the way around must be worth."""


def one_by_one(views: Sequence[Pictures]) -> tuple[Pictures, ...]:
    """Return views of which each picture from the hand is one of its own; others are of one moment."""
    found: list[Pictures] = []
    for view in views:
        still = {name: picture for name, picture in view.items() if not roams(name)}
        found += [still] if still or not view else []
        found += [{name: picture} for name, picture in view.items() if roams(name)]
    return tuple(found)


def by_hand(views: Sequence[Pictures]) -> bool:
    """Return whether a camera in a hand took any of the pictures."""
    return any(roams(name) for view in views for name in view)


def uncovered(
    earlier: Sequence[tuple[str, Pictures]], views: Sequence[Pictures], covered: Set[int]
) -> tuple[tuple[tuple[str, Pictures], ...], tuple[Pictures, ...]]:
    """Return earlier views and those of a look without the covered ones, which are numbered through both."""
    first = len(earlier)
    return (
        tuple(one for number, one in enumerate(earlier) if number not in covered),
        tuple(one for number, one in enumerate(views, first) if number not in covered),
    )


def without(earlier: Sequence[tuple[str, Pictures]], views: Sequence[Pictures]) -> tuple[tuple[str, Pictures], ...]:
    """Return earlier views with their sides, less those whose pictures are among other views already."""
    known = {id(picture) for view in views for picture in view.values()}
    return tuple(one for one in earlier if not any(id(picture) in known for picture in one[1].values()))


def show_side(told: TowerEvidence, notes: Sequence[CameraNote]) -> ShowFrom | None:
    """Return from where a camera in a hand should show the tower next; ``None`` where no side would tell more.

    notes: of the pictures so far. Sides that no picture shows come first, then those with cells that are in doubt.
    """
    places = [side_of(np.array(note.place_mm)) for note in notes if note.place_mm and roams(note.name)]
    if not places:
        return None
    wanted = told.hidden or _doubtful(told, [azimuth for azimuth, _ in places])
    if not wanted:
        return None
    last = places[-1]
    azimuth = max(
        _PLACES_DEG, key=lambda place: _worth(place, wanted) - _STEP_COSTS * _apart_deg(place, last[0]) / 45
    )
    go = go_to((azimuth, ELEVATION_DEG), last)
    seen = tuple(side for side in wanted if _apart_deg(_azimuth_deg(side), azimuth) <= _SHOWS_DEG)
    cells = [cell for cell in _open(told) if any(outer(cell, side) for side in seen)]
    fields = tuple(Field.from_name(cell) for cell in cells[:MOST_DOUBTS])
    if told.hidden:
        return ShowFrom(
            azimuth, ELEVATION_DEG, fields, say("{go}: no picture shows the tower from there yet.", go=go)
        )
    return ShowFrom(azimuth, ELEVATION_DEG, fields, say("{go}: the tower is not clear from there yet.", go=go))


def _worth(azimuth_deg: float, wanted: Sequence[str]) -> float:
    """Return how many of the sides wanted a place shows, less what it sees aslant."""
    apart = [_apart_deg(_azimuth_deg(side), azimuth_deg) for side in wanted]
    return sum(float(np.cos(np.radians(each))) for each in apart if each <= _SHOWS_DEG)


def _doubtful(told: TowerEvidence, taken_deg: Sequence[float]) -> tuple[str, ...]:
    """Return the sides with cells in doubt of which few pictures were taken so far. taken_deg: their azimuths."""
    return tuple(
        side
        for side in SIDES
        if sum(_apart_deg(_azimuth_deg(side), azimuth) <= _SHOWS_DEG for azimuth in taken_deg) < MOST_OF_A_SIDE
        and any(outer(cell, side) for cell in _open(told))
    )


def _open(told: TowerEvidence) -> list[str]:
    signs: Mapping[str, str] = cells_told(told.surest)
    return [cell for cell, sign in signs.items() if sign == "?"]


def _azimuth_deg(side: str) -> float:
    """Return the azimuth of a side: 0 is the side of row 1, counter-clockwise seen from above."""
    return 90.0 * SIDES.index(side)


def _apart_deg(one: float, other: float) -> float:
    return abs((one - other + 180.0) % 360.0 - 180.0)
