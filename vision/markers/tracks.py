"""Finds the marker stones on the tracks along the board's margin.

A stone covers the printed place it stands on, and at most one place of a track is covered. So the places are compared
with each other, not with anything known beforehand: the one whose tint is not that of the others carries the stone. A
place that a stack or flag may hide says nothing, and an unsure one is left open: a stone in the wrong place would
remind a player of an attack that never was.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from vision.geometry.kept import TALLEST_STACK
from vision.geometry.view import View
from vision.markers.patches import discs, hidden_by, looked_at

RADIUS_MM = 4.0
"""Radius of what is looked at around a place's centre: well inside a stone, even one set down beside the middle."""
STONE_OFF = 0.12
"""Least difference in tint between a stone and the bare places."""
NOISE_TIMES = 6.0
COVERED_SHARE, BARE_SHARE = 0.6, 0.15
"""A place carries a stone when this share of it is off in tint, and is bare when no more than that is."""
SAME_PRINT = 0.06
"""Tracks whose bare places differ less than this are printed alike and may vouch for each other."""
WHITE_OUT = 250.0
"""Level of all channels from which on a pale stone could be over-exposed."""
_DIRECTIONS: dict[str, tuple[tuple[float, float], ...]] = {
    "red": ((1.0, 0.0), (1.0, 0.4)),
    "yellow": ((0.1, -1.0),),
    "green": ((-0.75, -0.65), (-1.0, -0.35)),
    "blue": ((-0.35, 0.95), (-1.0, 0.15)),
}
"""Directions of colours from white in (red, blue) over green; a second one is that of an over-exposed colour."""

_Place = Literal["stone", "bare", "unseen"]


@dataclass(frozen=True, eq=False)
class _Look:
    """One place in one view: (n, 2) tints of its visible middle, and whether it is over-exposed."""

    tints: NDArray[np.float32]
    white_out: bool

    @cached_property
    def middle(self) -> NDArray[np.float64]:
        return np.asarray(np.median(self.tints, axis=0), np.float64)


def read_stones(
    views: Sequence[View],
    table: TableSetup,
    heights: NDArray[np.integer] | None = None,
    flags: NDArray[np.bool_] | None = None,
    colours: Mapping[str, str] | None = None,
) -> dict[str, int | None]:
    """Read every margin track: the place of its stone from 1, 0 for a track without one, ``None`` when not seen.

    heights: (rows, columns) stones each field may carry at most; flags: (rows, columns) where a flag may stand; both
    default to all that is possible. colours: whose stone stands on a track, where known; another colour is no stone.
    """
    if heights is None:
        heights = np.full((table.rows, table.columns), TALLEST_STACK, np.int64)
    if flags is None:
        flags = np.ones((table.rows, table.columns), np.bool_)
    told: dict[str, list[set[_Place]]] = {track: [set() for _ in at] for track, at in table.margin_fields.items()}
    for view in views:
        looks = _looks(view, table, heights, flags)
        prints = _prints(looks)
        noise = _noise(looks, prints)
        for track, places in looks.items():
            wanted = colours.get(track) if colours else None
            for number, look in enumerate(places):
                told[track][number].add(_judge(look, prints.get(track), noise, wanted))
    return {track: _decide(places) for track, places in told.items()}


def _decide(places: list[set[_Place]]) -> int | None:
    """Return the place of one track's stone by what all cameras say; ``None`` for any contradiction."""
    if any({"stone", "bare"} <= said for said in places):
        return None
    covered = [number for number, said in enumerate(places, 1) if "stone" in said]
    if len(covered) == 1:
        return covered[0]
    return 0 if not covered and all("bare" in said for said in places) else None


def _looks(
    view: View, table: TableSetup, heights: NDArray[np.integer], flags: NDArray[np.bool_]
) -> dict[str, list[_Look | None]]:
    """Return every place as the view shows it; ``None`` where most of its middle may be hidden, or lies outside."""
    tracks = {
        track: np.column_stack([np.asarray(at, np.float64).reshape(-1, 2), np.zeros(len(at))])
        for track, at in table.margin_fields.items()
    }
    if not tracks:
        return {}
    standing = heights.tobytes(), flags.tobytes(), table
    hidden = view.once("hidden", standing, lambda: hidden_by(view, table, heights, flags))
    middles = np.concatenate(list(tracks.values()))
    hidden = hidden & view.once("tracks", table, lambda: looked_at(view, middles, RADIUS_MM))
    return view.once(
        "stones",
        hidden.tobytes(),
        lambda: {
            track: [None if seen is None else _look(seen) for seen in discs(view, hidden, at, RADIUS_MM)]
            for track, at in tracks.items()
        },
    )


def _look(colours: NDArray[np.float32]) -> _Look:
    """Return one place by the (n, 3) BGR colours of what is visible of it."""
    blue, green, red = colours.T + 8
    tints = np.stack([np.log(red / green), np.log(blue / green)], axis=-1)
    return _Look(tints, bool(np.median(colours.min(axis=1)) >= WHITE_OUT))


def _prints(looks: Mapping[str, list[_Look | None]]) -> dict[str, NDArray[np.float64]]:
    """Return the tint of each track's bare places in one view, where enough of them are seen to know it.

    Three places outvote a stone; a track that shows fewer borrows from the others if these are printed alike.
    """
    seen = {track: [look.middle for look in places if look is not None] for track, places in looks.items()}
    own = {track: np.median(tints, axis=0) for track, tints in seen.items() if len(tints) >= 3}
    if len(own) >= 2:
        common = np.median(list(own.values()), axis=0)
        if all(float(np.linalg.norm(tint - common)) < SAME_PRINT for tint in own.values()):
            return {track: own.get(track, common) for track in looks}
    return own


def _noise(looks: Mapping[str, list[_Look | None]], prints: Mapping[str, NDArray[np.float64]]) -> float:
    """Return how far bare places commonly lie from their print's tint in one view."""
    off = [
        float(np.linalg.norm(look.middle - prints[track]))
        for track, places in looks.items()
        if track in prints
        for look in places
        if look is not None
    ]
    return float(np.median(off)) if off else 0.0


def _judge(look: _Look | None, bare: NDArray[np.float64] | None, noise: float, wanted: str | None) -> _Place:
    if look is None or bare is None:
        return "unseen"
    limit = max(STONE_OFF, NOISE_TIMES * noise)
    off = np.linalg.norm(look.tints - bare, axis=-1)
    if float((off > limit).mean()) >= COVERED_SHARE:
        return "stone" if wanted is None or _is_of(look.middle - bare, wanted) else "unseen"
    if look.white_out or float((off > limit / 2).mean()) > BARE_SHARE:
        return "unseen"
    return "bare"


def _is_of(tint: NDArray[np.float64], colour: str) -> bool:
    """Return whether a tint (red and blue over green, against white) lies nearest to a colour's direction."""
    unit = tint / max(float(np.linalg.norm(tint)), 1e-6)
    return max(_DIRECTIONS, key=lambda one: max(float(unit @ _unit(way)) for way in _DIRECTIONS[one])) == colour


def _unit(direction: tuple[float, float]) -> NDArray[np.float64]:
    vector = np.array(direction)
    return np.asarray(vector / np.linalg.norm(vector), np.float64)
