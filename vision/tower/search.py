"""Searches the filled cells: those of the tower whose drawing explains the pictures best.

It begins with what the scenery, seen through, rules out (the visual hull: Laurentini, The Visual Hull Concept for
Silhouette-Based Image Understanding, 1994) and goes on by raising and lowering columns as long as that gains
(iterated conditional modes: Besag, On the Statistical Analysis of Dirty Pictures, 1986).
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from vision.tower.belief import Shape
from vision.tower.draft import Draft
from vision.tower.grid import CELLS, FLOOR, MOST_LEVELS, SIDE
from vision.tower.setting import Setting
from vision.tower.stage import REGIONS

SEEN_THROUGH = 0.5
"""A cell through which this share of one picture's lines of sight shows scenery is taken for empty at first."""
LIKE_SCENERY = 9.0
"""Squared distance from the expected scenery, in its standard deviations, up to which a sample looks like it."""
LEAST_GAIN = 0.5
SWEEPS = 6
PAIRS = 40
"""Pairs of changed columns that are tried."""
DEEPEST = 4
"""By how many levels a column is raised or lowered at once."""


def hull(setting: Setting) -> NDArray[np.bool_]:
    """Return a first tower, (CELLS,): columns of cells through which no picture shows the scenery."""
    stage = setting.drawing.stage
    spread = np.maximum(setting.spread, 0.03)
    off = ((stage.colours - setting.expected) ** 2).sum(axis=1) / spread**2
    like = (off < LIKE_SCENERY) & (setting.spread < 0.2)
    look = stage.first_region // REGIONS
    rows, columns = np.nonzero(stage.cells < CELLS)
    at = stage.cells[rows, columns].astype(np.int64) + CELLS * look[rows]
    size = CELLS * stage.looks
    total = np.bincount(at, minlength=size).reshape(stage.looks, CELLS)[setting.kept]
    through = np.bincount(at, like[rows], size).reshape(stage.looks, CELLS)[setting.kept]
    share = np.where(total >= 10, through / np.maximum(total, 1), 0)
    filled = (share.max(axis=0) < SEEN_THROUGH) & (total.sum(axis=0) >= 20)
    return np.logical_and.accumulate(filled.reshape(MOST_LEVELS, FLOOR), axis=0).ravel()


def improve(draft: Draft) -> None:
    """Raise, lower and level columns of the draft for as long as that gains."""
    for _ in range(SWEEPS):
        before = draft.filled.copy()
        tried = {column: _fit_column(draft, column) for column in range(FLOOR)}
        if (before == draft.filled).all() and not _shift_tops(draft, tried) and not _hang(draft):
            return


def heights(filled: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return how high each column is, (9,): the level of its topmost filled cell, from 1; 0 where there is none."""
    levels = np.arange(1, MOST_LEVELS + 1)[:, None]
    return np.asarray((filled.reshape(MOST_LEVELS, FLOOR) * levels).max(axis=0), np.int64)


def _fit_column(draft: Draft, column: int) -> dict[int, float]:
    """Set one column's height anew, wherever that gains most; return what other heights would gain.

    Every step gains, beside the tower it began with, so no height comes back: there are at most as many steps as
    heights.
    """
    own = _column(column)
    draft.rebase()
    tried: dict[int, float] = {}
    for _ in range(MOST_LEVELS + 1):
        top = int(heights(draft.filled)[column])
        tried = {}
        for height in range(max(0, top - DEEPEST), min(MOST_LEVELS, top + DEEPEST) + 1):
            cells = _turned(draft, own, height)
            if len(cells):
                tried[height] = draft.gain(cells)
        best = max(tried, key=tried.__getitem__)
        if tried[best] <= LEAST_GAIN:
            break
        draft.gain(_turned(draft, own, best), keep=LEAST_GAIN)
    return tried


def unrest(draft: Draft) -> NDArray[np.float64]:
    """Return by how much each picture's cost would fall with columns of other heights, (looks,) nats.

    It is large where something else than the tower is seen.
    """
    out = np.zeros(draft.looks)
    for column in range(FLOOR):
        top = int(heights(draft.filled)[column])
        tries = [_turned(draft, _column(column), h) for h in range(max(0, top - 2), min(MOST_LEVELS, top + 2) + 1)]
        gains = [draft.gains(cells) for cells in tries if cells]
        out += np.maximum(np.max(gains, axis=0), 0)
    return out


def _hang(draft: Draft) -> bool:
    """Let a cell hang above a gap, or hollow a column out below its top, where that gains. Returns whether it did."""
    hung = False
    for column in range(FLOOR):
        draft.rebase()
        for cells in _gaps(draft, column):
            if draft.gain(cells, keep=LEAST_GAIN) > LEAST_GAIN:
                hung = True
                break
    return hung


def _gaps(draft: Draft, column: int) -> list[list[int]]:
    """Return cells of a column to turn over so that its top, or a cell above it, has a gap of one or two below."""
    own = _column(column)
    top = int(heights(draft.filled)[column])
    above = [[int(own[top + gap])] for gap in (1, 2) if top + gap < MOST_LEVELS]
    below = [[int(own[top - 1 - k]) for k in range(1, gap + 1)] for gap in (1, 2) if top > gap]
    return above + [cells for cells in below if draft.filled[cells].all()]


def column_shapes(draft: Draft) -> list[dict[Shape, float]]:
    """Return the shapes that each column may have, with what each gains against the draft's (0 for that).

    They are of all heights near its own, also with a gap below the top cell.
    """
    out: list[dict[Shape, float]] = []
    draft.rebase()
    for column in range(FLOOR):
        own = _column(column)
        top = int(heights(draft.filled)[column])
        here = draft.filled[own]
        wanted = {tuple(bool(v) for v in here)}
        for height in range(min(MOST_LEVELS, top + DEEPEST) + 1):
            wanted.add(tuple(level < height for level in range(MOST_LEVELS)))
        for cells in _gaps(draft, column):
            turned = here.copy()
            turned[np.array(cells) // FLOOR] ^= True
            wanted.add(tuple(bool(v) for v in turned))
        found: dict[Shape, float] = {}
        for shape in wanted:
            cells = own[np.array(shape) != here]
            found[shape] = draft.gain([int(c) for c in cells]) if len(cells) else 0.0
        out.append(found)
    return out


def _turned(draft: Draft, own: NDArray[np.int64], height: int) -> list[int]:
    """Return the cells of a column that change where it becomes as high as given."""
    cells = own[(np.arange(MOST_LEVELS) < height) != draft.filled[own]]
    return [int(cell) for cell in cells]


def _shift_tops(draft: Draft, tried: dict[int, dict[int, float]]) -> bool:
    """Change two neighbouring columns at once, as one picture can't always tell the two apart.

    tried: by column what other heights would gain alone; the pairs that lose least are tried. Returns whether one
    gained.
    """
    pairs = []
    draft.rebase()
    for one, other in itertools.permutations(range(FLOOR), 2):
        if max(abs(one // SIDE - other // SIDE), abs(one % SIDE - other % SIDE)) > 1:
            continue
        tops = heights(draft.filled)
        lower = [(gain, height) for height, gain in tried[one].items() if height < tops[one]]
        higher = [(gain, height) for height, gain in tried[other].items() if height > tops[other]]
        pairs += [(a + b, one, h, other, k) for (a, h), (b, k) in itertools.product(lower, higher)]
    pairs.sort(reverse=True)
    for _, one, low, other, high in pairs[:PAIRS]:
        cells = [c for column, height in ((one, low), (other, high)) for c in _turned(draft, _column(column), height)]
        if draft.gain(cells, keep=LEAST_GAIN) > LEAST_GAIN:
            return True
    return False


def _column(column: int) -> NDArray[np.int64]:
    return column + FLOOR * np.arange(MOST_LEVELS)
