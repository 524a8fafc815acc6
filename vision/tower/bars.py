"""Changes the earlier tower by whole bars: laid wherever one half rests on something, or taken off.

A turn changes a tower by a bar, rarely by more. So what pictures show is explained bar by bar too, besides cell by
cell: a bar that hangs over a gap, which cell by cell costs much, is one bar like any other here. Source of the search
by moves that each keep a tower whole: Green, Reversible Jump Markov Chain Monte Carlo Computation and Bayesian Model
Determination, 1995, taken greedily.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tower.draft import LOOK_CAP, Draft
from vision.tower.grid import CELLS, FLOOR, neighbours, other_half
from vision.tower.palette import Palette
from vision.tower.setting import Setting

MOST_MOVES = 4
"""A turn lays few bars and takes off at most one; what differs by more is not looked for bar by bar."""
LEAST_GAIN = 6.0
"""Least gain for which a bar is laid or taken off, nats."""


@dataclass(frozen=True, eq=False)
class BarTower:
    """The tower reached bar by bar, in how many moves, and its rivals.

    Rivals are towers a bar away, with what each gains against it, nats.
    """

    draft: Draft
    moves: int
    rivals: tuple[tuple[NDArray[np.bool_], float], ...]


def by_bars(setting: Setting, palette: Palette, before: Sequence[str]) -> BarTower:
    """Find the tower a few bars away from the one before that explains the pictures best.

    before: its signs, CELLS of them.
    """
    old = [
        (cell, other)
        for cell, sign in enumerate(before)
        if sign.lower() in ("e", "n", "u") and (other := other_half(cell, sign.lower())) is not None
    ]
    stood = np.array([sign not in ".?" for sign in before])
    draft = Draft(setting, palette, stood, held=np.ones(CELLS, np.bool_))
    moves: list[tuple[int, int]] = []
    gains: list[float] = []
    for number in range(MOST_MOVES + 1):
        draft.rebase()
        moves = [*_laid(draft.filled), *_taken(draft.filled, old)]
        gains = [draft.gain(cells) for cells in moves]
        best = int(np.argmax(gains))
        if number == MOST_MOVES or gains[best] < LEAST_GAIN:
            break
        draft.gain(moves[best], keep=LEAST_GAIN)
    rivals = tuple((_turned(draft.filled, cells), gain) for cells, gain in zip(moves, gains, strict=True))
    return BarTower(draft, number, rivals)


def advantage(one: Draft, other: Draft) -> float:
    """Return by how many nats one tower explains the pictures better than another.

    No picture counts for more than LOOK_CAP.
    """
    looks = np.clip(other.costs() - one.costs(), -LOOK_CAP, LOOK_CAP)
    return float(looks.sum()) + other.standing - one.standing


def held(filled: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the cells (CELLS,) of a tower that hang above a gap."""
    out = np.zeros(CELLS, np.bool_)
    out[FLOOR:] = filled[FLOOR:] & ~filled[:-FLOOR]
    return out


def _laid(filled: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield places where a bar fits of which at least one half rests on something."""
    rests = np.ones(CELLS, np.bool_)
    rests[FLOOR:] = filled[:-FLOOR]
    for cell, other, letter in neighbours():
        if not filled[cell] and not filled[other] and (rests[cell] or (letter != "u" and rests[other])):
            yield cell, other


def _taken(filled: NDArray[np.bool_], old: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield bars of the tower before on which nothing lies."""
    for bar in old:
        above = [cell + FLOOR for cell in bar if cell + FLOOR < CELLS and cell + FLOOR not in bar]
        if all(filled[cell] for cell in bar) and not any(filled[cell] for cell in above):
            yield bar


def _turned(filled: NDArray[np.bool_], cells: Sequence[int]) -> NDArray[np.bool_]:
    out = filled.copy()
    out[list(cells)] ^= True
    return out
