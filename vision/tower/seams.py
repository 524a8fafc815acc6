"""Looks for a line between two squares of one colour: with a line two bars meet there, without it is one bar.

How a square without a line looks is known from the middles of all squares, where there never is one; how lines look
from the borders at hand, as a mixture of the two (expectation maximisation). Where bars meet without a visible line
the two do not differ, and nothing is told.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.view import View
from vision.tower.draft import Draft
from vision.tower.drawing import FEWEST
from vision.tower.grid import CELLS, FLOOR, SIDE, TowerSizes
from vision.tower.pairing import STRIDES, pair_cells
from vision.tower.rays import FACES, Sight
from vision.tower.stage import REGIONS

ALONG, ACROSS = 14, 33
"""Points along a border and across it."""
REACH = 0.36
"""Distance to both sides at which a border is looked at, in cells."""
NEAR = 0.09
"""Largest distance of a line from its place: bars stand shifted."""
CLEAR = 0.9
"""Share of a border's points that must show the two squares, and nothing before them."""
FEWEST_BORDERS = 12
SUREST = 3.0
"""No border in one picture tells more than this, nats: grain makes lines too."""
MOSTLY_SEEN, LOOKED_AT = 0.63, 8.0
"""Share of the places where bars meet that show a line, before anything is known, and the borders it is worth."""
MOST_SEEN = 0.95
CROSSES = 0.7
"""Improbability of a bar right on top of another one: the rules forbid it, so it is rare."""
ROUNDS = 5
LEAST_APART = 1.0
"""Lines and plain wood must differ by this many standard deviations to be told apart."""


@dataclass(frozen=True, eq=False)
class _Borders:
    """Borders of cells, (k,) each.

    First cell, direction of the other one (0 east, 1 north, 2 up), and (k, 2) how strong a line and how large a step
    is seen, natural logarithms.
    """

    cells: NDArray[np.int64]
    ways: NDArray[np.int64]
    strengths: NDArray[np.float64]


class Seams:
    """Pictures with their samples, in a stage's order, and what borders look like in each."""

    def __init__(self, pictures: Sequence[tuple[View, Sight]], measures: TowerSizes) -> None:
        self._pictures, self._measures = pictures, measures
        self._known: dict[tuple[int, bytes, bytes], tuple[_Borders, NDArray[np.float64]]] = {}

    def find(self, kept: Sequence[int], draft: Draft, same: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Return the log-likelihood ratio (CELLS, 3) of a line against none between a cell and its neighbours.

        kept: numbers of the pictures that the draft is drawn into. same: (CELLS, 3) whether both are filled and of
        one colour; other borders are not looked at and are nan, as are those that no picture shows.
        """
        found = []
        for number, drawn in zip(kept, draft.drawing(), strict=True):
            key = number, draft.filled.tobytes(), same.tobytes()
            if key not in self._known:
                self._known[key] = self._seen(number, drawn, same)
            found.append(self._known[key])
        seen = _together([borders for borders, _ in found])
        plain = np.concatenate([middles for _, middles in found])
        out = np.full((CELLS, 3), np.nan)
        if len(plain) < FEWEST_BORDERS or len(seen.cells) < FEWEST_BORDERS:
            return out
        odds = sum(np.clip(_lined(seen.strengths[:, k], plain[:, k]), -SUREST, SUREST) for k in range(2))
        out[seen.cells, seen.ways] = 0.0
        np.add.at(out, (seen.cells, seen.ways), np.clip(odds, -SUREST, SUREST))
        return np.asarray(np.clip(out, -2 * SUREST, 2 * SUREST), np.float64)

    def _seen(
        self, number: int, drawn: NDArray[np.int32], same: NDArray[np.bool_]
    ) -> tuple[_Borders, NDArray[np.float64]]:
        view, sight = self._pictures[number]
        counts = np.bincount(drawn, minlength=REGIONS)[: CELLS * FACES].reshape(CELLS, FACES)
        shown = counts >= 2 * FEWEST
        borders = _borders(view, sight, drawn, shown, same, self._measures)
        return borders, _middles(view, sight, drawn, shown, self._measures)


def joins_of(
    lines: NDArray[np.float64], filled: NDArray[np.bool_], colours: NDArray[np.float64], prior: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the log-odds (CELLS, 3) of being one bar, from what is seen of lines.

    How many of the places where bars meet show a line at all differs from set to set; it is learnt from how the cells
    can split into bars; and lying bars seldom lie right on one another. filled, colours: as for ``pair_cells``.
    prior: (CELLS, 3) log-odds known otherwise.
    """
    looked = np.isfinite(lines)
    likelihood = np.exp(np.where(looked, lines, 0.0))
    share, crossed = MOSTLY_SEEN, np.zeros((CELLS, 3))
    for _ in range(ROUNDS):
        split = pair_cells(filled, colours, prior + crossed + _odds(likelihood, looked, share))
        if not np.isfinite(split.log_total):
            break
        crossed = _crossed(split.joined)
        apart = (1 - split.joined)[looked]
        seen = share * likelihood[looked] / (1 - share + share * likelihood[looked])
        share = (float((apart * seen).sum()) + LOOKED_AT * MOSTLY_SEEN) / (float(apart.sum()) + LOOKED_AT)
        share = min(share, MOST_SEEN)
    return crossed + _odds(likelihood, looked, share)


def _crossed(joined: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log-odds (CELLS, 3) that keep a lying bar from lying right on another, both halves on both.

    They are the mean field of what is thought of the levels below and above.
    """
    out = np.zeros((CELLS, 3))
    lying = np.log(1 - CROSSES * np.clip(joined[:, :2], 0, 1))
    out[FLOOR:, :2] += lying[:-FLOOR]
    out[:-FLOOR, :2] += lying[FLOOR:]
    return out


def _odds(likelihood: NDArray[np.float64], looked: NDArray[np.bool_], share: float) -> NDArray[np.float64]:
    return np.where(looked, -np.log(1 - share + share * likelihood), 0.0)


def _lined(seen: NDArray[np.float64], plain: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log-likelihood ratio of a line against plain wood, by strength; 0 where lines do not stand out."""
    middle, spread = float(plain.mean()), max(float(plain.std()), 0.25)
    line, line_spread, share = float(np.percentile(seen, 80)), spread, 0.5
    for _ in range(30):
        plain_density = _normal(seen, middle, spread) * (1 - share)
        line_density = _normal(seen, line, line_spread) * share
        resp = line_density / np.maximum(plain_density + line_density, 1e-300)
        total = max(float(resp.sum()), 1e-6)
        line = float((resp * seen).sum() / total)
        line_spread = float(np.clip(np.sqrt((resp * (seen - line) ** 2).sum() / total), 0.25, 1.0))
        share = float(np.clip(total / len(seen), 0.1, 0.9))
    if line - middle < LEAST_APART * (spread + line_spread) / 2:
        return np.zeros(len(seen))
    # Beyond the two means the tails of the normal distributions are unreliable.
    inside = np.clip(seen, middle, line)
    plain_density, line_density = _normal(inside, middle, spread), _normal(inside, line, line_spread)
    return np.asarray(np.log(np.maximum(line_density, 1e-300) / np.maximum(plain_density, 1e-300)), np.float64)


def _normal(x: NDArray[np.float64], middle: float, spread: float) -> NDArray[np.float64]:
    return np.exp(-(((x - middle) / spread) ** 2) / 2) / spread


def _together(parts: Sequence[_Borders]) -> _Borders:
    return _Borders(
        np.concatenate([part.cells for part in parts]),
        np.concatenate([part.ways for part in parts]),
        np.concatenate([part.strengths for part in parts]),
    )


def _borders(
    view: View,
    sight: Sight,
    drawn: NDArray[np.int32],
    shown: NDArray[np.bool_],
    same: NDArray[np.bool_],
    m: TowerSizes,
) -> _Borders:
    """Return the borders between squares of one colour in one face's plane that this picture shows."""
    cells, ways, points, pairs = [], [], [], []
    for way, stride in enumerate(STRIDES):
        for cell in np.flatnonzero(same[:, way]):
            other = int(cell) + stride
            for face in range(FACES):
                if face // 2 == way or not (shown[cell, face] and shown[other, face]):
                    continue
                cells.append(int(cell))
                ways.append(way)
                points.append(_patch(int(cell), face, way, 1.0, m))
                pairs.append((int(cell) * FACES + face, other * FACES + face))
    strengths, clear = _strengths(view, sight, drawn, points, pairs)
    return _Borders(np.array(cells, np.int64)[clear], np.array(ways, np.int64)[clear], strengths[clear])


def _middles(
    view: View, sight: Sight, drawn: NDArray[np.int32], shown: NDArray[np.bool_], m: TowerSizes
) -> NDArray[np.float64]:
    """Return how strong a line is seen across the middles of squares, where there is none: (k, 2)."""
    points, pairs = [], []
    for cell, face in zip(*np.nonzero(shown), strict=True):
        for way in range(3):
            if face // 2 != way:
                points.append(_patch(int(cell), int(face), way, 0.5, m))
                pairs.append((int(cell) * FACES + int(face),) * 2)
    strengths, clear = _strengths(view, sight, drawn, points, pairs)
    return strengths[clear]


def _patch(cell: int, face: int, way: int, at: float, m: TowerSizes) -> NDArray[np.float64]:
    """Return points (ALONG, ACROSS, 3) mm around a line on a cell's face.

    The line runs across the direction ``way``, ``at`` of the cell's length along it.
    """
    level, place = divmod(cell, FLOOR)
    index = np.array([place % SIDE, place // SIDE, level])
    lows = np.array([planes[0] for planes in m.planes_mm()])
    steps = np.array([*m.pitch_mm, m.unit_mm])
    (along,) = {0, 1, 2} - {face // 2, way}
    unit = np.zeros((ALONG, ACROSS, 3))
    unit[..., face // 2] = face % 2
    unit[..., along] = np.linspace(0.15, 0.85, ALONG)[:, None]
    unit[..., way] = at + np.linspace(-REACH, REACH, ACROSS)[None]
    return np.asarray(lows + (index + unit) * steps, np.float64)


def _strengths(
    view: View,
    sight: Sight,
    drawn: NDArray[np.int32],
    points_mm: Sequence[NDArray[np.float64]],
    pairs: Sequence[tuple[int, int]],
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Return how much a line and a step stand out at each patch, (k, 2) logs, and whether it lies open, (k,)."""
    if not points_mm:
        return np.zeros((0, 2)), np.zeros(0, np.bool_)
    at = view.project(np.stack(points_mm))
    height, width = sight.shape
    first = sight.places_px[0]
    per = (sight.places_px[-1] - first) / (width - 1, height - 1)
    column, row = np.moveaxis(np.round(np.nan_to_num((at - first) / per, nan=-9)).astype(np.int64), -1, 0)
    inside = (column >= 0) & (column < width) & (row >= 0) & (row < height)
    label = np.where(inside, drawn[np.clip(row, 0, height - 1) * width + np.clip(column, 0, width - 1)], -1)
    expected = np.array(pairs)[:, :, None, None]
    open_ = ((label == expected[:, 0]) | (label == expected[:, 1])).mean(axis=(1, 2)) >= CLEAR
    x = at.astype(np.float32).reshape(len(at), -1, 2)
    grey = cv2.cvtColor(view.picture_bgr, cv2.COLOR_BGR2GRAY)
    values = cv2.remap(grey, x[..., 0], x[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    profile = np.asarray(values, np.float64).reshape(len(at), ALONG, ACROSS)
    middle = np.median(profile, axis=1)
    offset = np.linspace(-REACH, REACH, ACROSS)
    left = np.median(middle[:, offset < -NEAR], axis=1)
    right = np.median(middle[:, offset > NEAR], axis=1)
    base = np.where(offset[None] < 0, left[:, None], right[:, None])
    line = np.abs(middle - base)[:, np.abs(offset) <= NEAR].max(axis=1)
    bright = np.maximum((left + right) / 2, 8.0)
    strength = np.stack([line, np.abs(left - right)], axis=1) / bright[:, None]
    return np.log(strength + 0.01), open_
