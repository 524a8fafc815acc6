"""Which cells are filled: the tower whose drawing explains the pictures best.

It begins with what the scenery, seen through, rules out (the visual hull: Laurentini, The Visual Hull Concept for
Silhouette-Based Image Understanding, 1994) and goes on by raising and lowering columns as long as that gains
(iterated conditional modes: Besag, On the Statistical Analysis of Dirty Pictures, 1986).
"""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from vision.tower.draft import Draft
from vision.tower.measures import CELLS, FLOOR, MOST_LEVELS, SIDE
from vision.tower.stage import Stage

SEEN_THROUGH = 0.5
"""A cell through which this share of one picture's lines of sight shows scenery is taken for empty at first."""
LIKE_SCENERY = 9.0
"""Squared distance from the expected scenery, in its standard deviations, up to which a sample looks like it."""
LEAST_GAIN = 0.5
SWEEPS = 6


def hull(stage: Stage) -> NDArray[np.bool_]:
    """A first tower, (CELLS,): columns of cells through which no picture shows the scenery."""
    spread = np.maximum(stage.spread, 0.03)
    off = ((stage.colours - stage.expected) ** 2).sum(axis=1) / spread**2
    like = (off < LIKE_SCENERY) & (stage.spread < 0.2)
    look = stage.first_region // max(1, stage.first_region.max() // max(stage.looks - 1, 1))
    rows, columns = np.nonzero(stage.cells < CELLS)
    at = stage.cells[rows, columns].astype(np.int64) + CELLS * look[rows]
    size = CELLS * stage.looks
    total = np.bincount(at, minlength=size).reshape(stage.looks, CELLS)
    through = np.bincount(at, like[rows], size).reshape(stage.looks, CELLS)
    share = np.where(total >= 10, through / np.maximum(total, 1), 0)
    filled = (share.max(axis=0) < SEEN_THROUGH) & (total.sum(axis=0) >= 20)
    return np.logical_and.accumulate(filled.reshape(MOST_LEVELS, FLOOR), axis=0).ravel()


def improve(draft: Draft) -> None:
    """Raise, lower and level columns of the draft for as long as that gains."""
    for _ in range(SWEEPS):
        before = draft.total
        for column in range(FLOOR):
            _fit_column(draft, column)
        _shift_tops(draft)
        if before - draft.total < LEAST_GAIN:
            return


def heights(filled: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How high each column is, (9,): the level of its topmost filled cell, from 1; 0 where there is none."""
    levels = np.arange(1, MOST_LEVELS + 1)[:, None]
    return np.asarray((filled.reshape(MOST_LEVELS, FLOOR) * levels).max(axis=0), np.int64)


def _fit_column(draft: Draft, column: int) -> None:
    """Add to and take from one column's top, up to three cells at a time."""
    while True:
        top = int(heights(draft.filled)[column])
        up = [[column + FLOOR * level for level in range(top, top + k)] for k in (1, 2, 3) if top + k <= MOST_LEVELS]
        down = [[column + FLOOR * level for level in range(top - k, top)] for k in (1, 2, 3) if top >= k]
        down = [[cell for cell in cells if draft.filled[cell]] for cells in down]
        gains = [(draft.gain(cells), cells) for cells in up + down]
        gain, cells = max(gains, key=lambda g: g[0])
        if gain < LEAST_GAIN:
            return
        draft.gain(cells, keep=LEAST_GAIN)


def _shift_tops(draft: Draft) -> None:
    """Move the top cell of a column onto a neighbouring one: one picture can't always tell the two."""
    for one, other in itertools.permutations(range(FLOOR), 2):
        if max(abs(one // SIDE - other // SIDE), abs(one % SIDE - other % SIDE)) > 1:
            continue
        tops = heights(draft.filled)
        if tops[one] == 0 or tops[other] == MOST_LEVELS or abs(tops[one] - 1 - tops[other]) > 1:
            continue
        draft.gain([one + FLOOR * (tops[one] - 1), other + FLOOR * tops[other]], keep=LEAST_GAIN)
