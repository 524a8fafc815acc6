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
DEEPEST = 5
"""By how many levels a column is raised or lowered at once."""


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
    """Set one column's height anew, wherever that gains most."""
    own = column + FLOOR * np.arange(MOST_LEVELS)
    while True:
        top = int(heights(draft.filled)[column])
        tries = []
        for height in range(max(0, top - DEEPEST), min(MOST_LEVELS, top + DEEPEST) + 1):
            want = np.arange(MOST_LEVELS) < height
            cells = own[want != draft.filled[own]]
            if len(cells):
                tries.append((draft.gain(cells.tolist()), cells.tolist()))
        gain, cells = max(tries, key=lambda t: t[0])
        if gain < LEAST_GAIN:
            return
        draft.gain(cells, keep=LEAST_GAIN)


def _shift_tops(draft: Draft) -> None:
    """Lower one column and raise another at once: one picture can't always tell the two apart."""
    for one, other in itertools.permutations(range(FLOOR), 2):
        if max(abs(one // SIDE - other // SIDE), abs(one % SIDE - other % SIDE)) > 1:
            continue
        for less, more in itertools.product((1, 2), (1, 2, 3, 4)):
            tops = heights(draft.filled)
            if tops[one] < less or tops[other] + more > MOST_LEVELS:
                continue
            taken = [one + FLOOR * (int(tops[one]) - k) for k in range(1, less + 1)]
            added = [other + FLOOR * (int(tops[other]) + k) for k in range(more)]
            draft.gain([c for c in taken if draft.filled[c]] + added, keep=LEAST_GAIN)
