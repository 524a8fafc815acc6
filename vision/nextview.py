"""Chooses which side to look from next: the place from which most of what is in doubt would be decided.

Places all around the board are tried. What a place is worth is the information it can be expected to bring (D. V.
Lindley, On a measure of the information provided by an experiment, 1956): of every field in doubt the entropy of what
the pictures leave open, times the chance to see it from there past all that may stand in the way, less what the views
so far show of it from much the same side. A field in a pit is shown well from none of them: places from which a phone
held over it looks down into it are tried as well.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.table import TableSetup
from referee.values.belief import BoardBelief, log_probabilities
from referee.values.board import Field
from vision.geometry.sightlines import Sightlines, sightlines
from vision.heights.scorer import COMMON_ERROR
from vision.heights.temperature import ALONE

AZIMUTHS_DEG = tuple(range(0, 360, 15))
ELEVATIONS_DEG = (35, 45, 55, 65)
LEAST_NATS = 0.15
"""A view that promises less is not worth the walk, a quarter of the way around the board: longer ways cost more."""
OPEN_NATS = 0.2
"""Least doubt counted for a field in doubt, however sure the pictures are of its stack or its piece."""
AS_GOOD = 0.85
"""Places that promise this share of the best one are about as good: the nearest is taken."""
MOST_FIELDS = 8
"""Fields in doubt that are considered, those first of which the pictures tell least; and so many others."""
NAMED_SHARE = 0.3
"""A field is named as decided where so much of what it can tell is expected."""
_SAME_SIDE_DEG = 32.0
"""Views that lie this far apart show different things of what stands close by."""
_SEEN_BEFORE = 0.4
"""Share of its information that a field loses with every view that saw it and left it open."""
_FINE_COS, _FLAT_SIN = 0.55, 0.6
"""Steeper, levels lie too close in a picture; flatter, top faces are slits (cosine and sine of the elevation)."""
_HAND_SHARE = 2.3
"""Distance of a phone in the hand from the middle, in half diagonals of the frame."""
STEEP_DEG = (74, 78, 82)
"""Heights over a field from which one looks down into it."""
STEEPEST_DEG = 83.0
"""No place higher over the board's middle is asked for: a hand soon holds a phone straight over what it looks at."""
NEAR_SHARE = 1.8
"""Distance from a field that is looked down into, in half diagonals of the frame. Drawn pits are read as well in
pictures from there as in those from afar, and worse from 1.3 on; with a usual lens half the markers are in them."""
NEAR_WORTH = 0.5
"""A look down into a field shows little else: other places are preferred that promise this share of it or more."""
MOST_NEAR = 3
"""Fields for which looks down into them are tried: those of which other places leave most open."""
_IN_PICTURE_DEG = 24.0
"""What lies so far from where a usual phone looks is in its picture, whichever way the phone is turned, or nearly."""
_NEAR_AZIMUTHS_DEG = tuple(range(0, 360, 45))


@dataclass(frozen=True, slots=True)
class NextView:
    """The place to look from next, seen from the board's middle.

    azimuth_deg: 0 is the side of row 1, 90 that of the last column, counter-clockwise seen from above. fields: those
    it would decide, which tell most first. hidden_by: field to the field whose stack hides it from the last view.
    gain_nats: the information expected. towards, distance_mm: the field to look down into from near, and how far off.
    """

    azimuth_deg: int
    elevation_deg: int
    fields: tuple[Field, ...]
    hidden_by: tuple[tuple[Field, Field], ...]
    gain_nats: float
    towards: Field | None = None
    distance_mm: int | None = None


def next_view(
    pictures: BoardBelief,
    expected: BoardBelief,
    in_doubt: Collection[Field],
    places_mm: Sequence[NDArray[np.float64]],
    table: TableSetup,
) -> NextView | None:
    """Return the place from which most would be decided; ``None`` where no side would show anything more.

    pictures: what the views so far say, which leaves fields nobody saw open. expected: the same with what is known
    besides, for what may stand in the way, and for what the next turn starts from: fields that it leaves open count
    beside those in doubt. places_mm: (3,) where the views so far were taken from, the last one last.
    """
    told, known = (
        np.stack([_entropy(belief.heights), _entropy(belief.flags)], axis=-1) for belief in (pictures, expected)
    )
    doubted = _most_open(in_doubt, told)
    if not doubted:
        return None
    others = {Field(int(row), int(col)) for row, col in np.argwhere(known.max(axis=2) >= OPEN_NATS)}
    later = _most_open(others - set(in_doubt), known)
    fields, count = doubted + later, len(doubted)
    open_nats = np.concatenate([np.maximum(_at(told, doubted), OPEN_NATS), _at(known, later)])
    chances = np.exp(log_probabilities(expected.heights))
    so_far = np.array(places_mm, np.float64).reshape(-1, 3)
    far_mm = float(np.median(np.linalg.norm(so_far, axis=1))) if len(so_far) else _hand_mm(table)
    before = sightlines(so_far, fields, chances, table, hiding=True)
    gains = np.concatenate(
        [
            _gains(_ring(deg, far_mm), _fine(deg), so_far, before, open_nats, fields, chances, table)
            for deg in ELEVATIONS_DEG
        ]
    )
    sums = gains[:, :count].sum(axis=1)
    near = _near(gains[:, :count], so_far, before, open_nats[:count], doubted, chances, table)
    if near is not None and sums.max() < max(LEAST_NATS, NEAR_WORTH * near.gain_nats):
        return near
    if sums.max() < LEAST_NATS:
        return None
    sums = np.where(sums >= max(LEAST_NATS, AS_GOOD * sums.max()), gains.sum(axis=1), -np.inf)
    ways = np.concatenate([_ring(elevation, 1.0) for elevation in ELEVATIONS_DEG])
    number = _nearest_good(sums, ways, _last(so_far))
    shares = gains[number, :count] / open_nats[:count].sum(axis=1)
    ranked = [int(k) for k in np.argsort(-gains[number, :count], kind="stable")]
    decided = [k for k in ranked if shares[k] >= NAMED_SHARE] or ranked[:1]
    hidden_by = []
    for k in decided if len(so_far) else ():
        if before.tops[-1, k].mean() < 0.5:
            by = Field(*divmod(int(before.hiding[-1, k].argmax()), table.columns))
            if by not in in_doubt:  # it is unknown whether a tower stands there
                hidden_by.append((fields[k], by))
    elevation, azimuth = divmod(number, len(AZIMUTHS_DEG))
    return NextView(
        AZIMUTHS_DEG[azimuth],
        ELEVATIONS_DEG[elevation],
        tuple(fields[k] for k in decided),
        tuple(hidden_by),
        float(sums[number]),
    )


def _most_open(fields: Collection[Field], open_nats: NDArray[np.float64]) -> list[Field]:
    """Return those fields of which most is open, by (rows, cols, 2) nats, most first."""
    return sorted(fields, key=lambda place: (-float(open_nats[place.row, place.col].sum()), place))[:MOST_FIELDS]


def _at(open_nats: NDArray[np.float64], fields: Sequence[Field]) -> NDArray[np.float64]:
    """Return the nats (fields, 2) of some fields, of (rows, cols, 2)."""
    return np.array([open_nats[place.row, place.col] for place in fields]).reshape(-1, open_nats.shape[2])


def _near(
    gains: NDArray[np.float64],
    so_far: NDArray[np.float64],
    before: Sightlines,
    open_nats: NDArray[np.float64],
    fields: Sequence[Field],
    chances: NDArray[np.float64],
    table: TableSetup,
) -> NextView | None:
    """Return the place to look down from into the field of which most would be told; ``None`` where too little.

    gains: (places, fields) nats expected of other places. Other arguments as for ``_gains``.
    """
    plain = np.repeat([_plain(deg, table) for deg in STEEP_DEG], len(_NEAR_AZIMUTHS_DEG))
    left_nats = open_nats.sum(axis=1) - gains.max(axis=0)
    best: NextView | None = None
    most = float(gains.sum(axis=1).max())
    for k in np.argsort(-left_nats, kind="stable")[:MOST_NEAR]:
        if most >= max(LEAST_NATS, NEAR_WORTH * open_nats[k].sum()):
            continue  # whatever it told, another place would be preferred
        here = np.array([*table.centre_mm(fields[k].row, fields[k].col), 0.0])
        distance_mm = _near_mm(here, table)
        ways = np.concatenate([_ring(deg, distance_mm, _NEAR_AZIMUTHS_DEG) for deg in STEEP_DEG])
        seen = Sightlines(before.tops[:, [k]], before.pieces[:, [k]], before.hiding)
        told = _gains(here + ways, plain, so_far, seen, open_nats[[k]], [fields[k]], chances, table, here)[:, 0]
        told = np.where([side_of(here + way)[1] <= STEEPEST_DEG for way in ways], told, -np.inf)
        number = _nearest_good(told, ways, _last(so_far))
        if told[number] >= max(LEAST_NATS, 0.0 if best is None else best.gain_nats):
            azimuth, elevation = side_of(here + ways[number])
            side = round(azimuth) % 360, round(elevation)
            best = NextView(*side, (fields[k],), (), float(told[number]), fields[k], distance_mm)
    return best


def _near_mm(here_mm: NDArray[np.float64], table: TableSetup) -> int:
    """Return how near to look down into a field; a board without a frame must be seen as a whole to be found."""
    away_mm = np.linalg.norm(table.around_mm[:, :2] - here_mm[:2], axis=1)
    whole_mm = 0.0 if table.board is None else float(away_mm.max()) / np.tan(np.radians(_IN_PICTURE_DEG))
    return 10 * round(max(NEAR_SHARE / _HAND_SHARE * _hand_mm(table), whole_mm) / 10)


def side_of(place_mm: NDArray[np.float64]) -> tuple[float, float]:
    """Return azimuth and elevation, degrees, of a place seen from the board's middle, as ``NextView`` counts them."""
    x, y, z = (float(value) for value in place_mm)
    return float(np.degrees(np.arctan2(x, -y)) % 360), float(np.degrees(np.arctan2(z, np.hypot(x, y))))


def place_at(azimuth_deg: float, elevation_deg: float, far_mm: float) -> NDArray[np.float64]:
    """Return the place (3,) mm on a side of the board: the other way round of ``side_of``."""
    azimuth, elevation = np.radians([azimuth_deg, elevation_deg])
    flat = np.cos(elevation)
    return np.asarray(far_mm * np.array([flat * np.sin(azimuth), -flat * np.cos(azimuth), np.sin(elevation)]))


def place_near(
    azimuth_deg: float, elevation_deg: float, distance_mm: float, towards_mm: tuple[float, float]
) -> NDArray[np.float64]:
    """Return the place (3,) mm on a side of the board that lies so far from a field, ``towards_mm`` its middle."""
    way, field = place_at(azimuth_deg, elevation_deg, 1.0), np.array([*towards_mm, 0.0])
    along = float(way @ field)
    return np.asarray(way * (along + np.sqrt(max(0.0, along**2 - float(field @ field) + distance_mm**2))))


def _ring(elevation_deg: float, far_mm: float, azimuths_deg: Sequence[int] = AZIMUTHS_DEG) -> NDArray[np.float64]:
    """Return places (n, 3) all around at one elevation."""
    return np.array([place_at(azimuth, elevation_deg, far_mm) for azimuth in azimuths_deg])


def _last(so_far: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return where the last view was taken from, or where the first is likely to be."""
    return np.asarray(so_far[-1]) if len(so_far) else np.array([0.0, -1.0, 1.0])


def _fine(elevation_deg: float) -> float:
    """Return how far heights can be told from an elevation."""
    elevation = np.radians(elevation_deg)
    return float(min(1.0, np.cos(elevation) / _FINE_COS) * min(1.0, np.sin(elevation) / _FLAT_SIN))


def _plain(elevation_deg: float, table: TableSetup) -> float:
    """Return the weight that the reader gives to heights seen so steeply, as ``vision.heights.scorer`` has it."""
    slope = table.cube_mm[2] / min(table.pitch_mm) / np.tan(np.radians(elevation_deg))
    return float(slope**2 / (slope**2 + COMMON_ERROR**2) / ALONE["flags"].steep)


def _gains(
    ring: NDArray[np.float64],
    fine: float | NDArray[np.float64],
    so_far: NDArray[np.float64],
    before: Sightlines,
    open_nats: NDArray[np.float64],
    fields: Sequence[Field],
    chances: NDArray[np.float64],
    table: TableSetup,
    middle_mm: NDArray[np.float64] | float = 0.0,
) -> NDArray[np.float64]:
    """Return the information expected of each field from some places: (places, fields) nats.

    fine: how far heights can be told from there, of all places or of each. before: what was in sight of the views
    ``so_far``. open_nats: (fields, 2) of stack and piece. middle_mm: (3,) from where places look alike or not.
    """
    lines = sightlines(ring, fields, chances, table)
    angles = np.array([_angles_deg(ring - middle_mm, place - middle_mm) for place in so_far])
    alike = np.exp(-((angles / _SAME_SIDE_DEG) ** 2))
    stacks = np.reshape(fine, (-1, 1)) * open_nats[:, 0] * _new(lines.tops, before.tops, alike)
    return np.asarray(stacks + open_nats[:, 1] * _new(lines.pieces, before.pieces, alike), np.float64)


def _new(seen: NDArray[np.float64], before: NDArray[np.float64], alike: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share (places, fields) of spots that are in sight and were not before.

    seen, before: (places, fields, spots) and (views, fields, spots). alike: (views, places) how much a place shows
    the same as a view.
    """
    again, left = np.zeros_like(seen), np.ones(seen.shape[1:])
    for known, same in zip(before, alike, strict=True):
        again = np.maximum(again, same[:, None, None] * np.minimum(seen, known))
        left *= 1.0 - _SEEN_BEFORE * known
    return np.asarray(((seen - again) * left).mean(axis=-1), np.float64)


def _nearest_good(sums: NDArray[np.float64], ways: NDArray[np.float64], last: NDArray[np.float64]) -> int:
    """Return the place nearest to the last view, of those about as good as the best; the right one of two.

    sums: (places,) nats expected. ways: (places, 3) where they lie. last: (3,) the place of the last view.
    """
    worth = sums - LEAST_NATS * _angles_deg(ways, last) / 90.0
    good = np.flatnonzero(worth >= worth.max() - (1.0 - AS_GOOD) * abs(worth.max()) - 1e-9)
    walk = np.round(_angles_deg(ways[good], last), 3)
    right = np.round(ways[good] @ np.array([-last[1], last[0], 0.0]), 3)
    return int(good[np.lexsort((-np.round(sums[good], 6), -right, walk))[0]])


def _angles_deg(places: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the angles (n,) at the board's middle between places (n, 3) and another (3,)."""
    cosine = places @ other / (np.linalg.norm(places, axis=1) * np.linalg.norm(other))
    return np.asarray(np.degrees(np.arccos(np.clip(cosine, -1.0, 1.0))), np.float64)


def _entropy(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entropy over the last axis of natural-log likelihoods, nats."""
    logs = log_probabilities(scores)
    return np.asarray(-(np.exp(logs) * logs).sum(axis=-1), np.float64)


def _hand_mm(table: TableSetup) -> float:
    return _HAND_SHARE * float(np.linalg.norm(table.around_mm[:, :2], axis=1).max())
