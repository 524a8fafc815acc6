"""How likely every cell of a tower is empty, light or dark, and which of them are one bar.

Columns are thought of as shapes (which of their cells are filled); a few whole towers, one shape for each column, are
weighed together, each with all its splits into bars.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tower.measures import BARS_A_COLOUR, CELLS, FLOOR, MOST_LEVELS
from vision.tower.pairing import Pairings, pair_cells

Shape = tuple[bool, ...]
"""Which of a column's cells are filled, from level 1 up, MOST_LEVELS of them."""
TOWERS = 24
"""How many of the likeliest towers are weighed."""
FAR_OFF = 9.0
"""Towers less likely than the likeliest by this many nats are left out."""


@dataclass(frozen=True, eq=False)
class TowerBelief:
    """filled: (CELLS,) probability that a cell is filled. colours: (CELLS, 2) that it is and is light, dark.
    joined: (CELLS, 3) that it and its neighbour east, north, above are one bar. likeliest: (CELLS,) the likeliest
    tower's cells."""

    filled: NDArray[np.float64]
    colours: NDArray[np.float64]
    joined: NDArray[np.float64]
    likeliest: NDArray[np.bool_]


def weigh(
    shapes: Sequence[Mapping[Shape, float]], colours: NDArray[np.float64], joins: NDArray[np.float64]
) -> TowerBelief:
    """Sum over whole towers.

    shapes: of each column the shapes it may have, with their log-weights. colours: (CELLS, 2) log-likelihoods of
    light and dark. joins: (CELLS, 3) log-odds of being one bar, for neighbours east, north, above.
    """
    found: list[tuple[float, NDArray[np.bool_], Pairings | None]] = []
    for log_weight, filled in _towers(shapes):
        split = pair_cells(filled, colours, joins)
        if np.isfinite(split.log_total) and filled.sum() <= 4 * BARS_A_COLOUR:
            found.append((log_weight + split.log_total - _offset(filled, colours), filled, split))
    if not found:
        # No tower splits into bars: what is seen is told cell by cell.
        log_weight, filled = next(iter(_towers(shapes)))
        found = [(log_weight, filled, None)]
    best = max(found, key=lambda one: one[0])
    shares = np.exp([min(one[0] - best[0], 0.0) for one in found])
    shares /= shares.sum()
    total = np.zeros(CELLS)
    tones, joined = np.zeros((CELLS, 2)), np.zeros((CELLS, 3))
    for share, (_, filled, pairs) in zip(shares, found, strict=True):
        total += share * filled
        tones += share * (pairs.colours if pairs is not None else _alone(filled, colours))
        if pairs is not None:
            joined += share * pairs.joined
    return TowerBelief(total, tones, joined, best[1])


def _offset(filled: NDArray[np.bool_], colours: NDArray[np.float64]) -> float:
    """What the colours of the filled cells weigh whichever bars they form: that their faces fit at all is weighed in
    the shapes already."""
    return float(np.logaddexp.reduce(colours[filled], axis=1).sum())


def _alone(filled: NDArray[np.bool_], colours: NDArray[np.float64]) -> NDArray[np.float64]:
    shares = np.exp(colours - np.logaddexp.reduce(colours, axis=1, keepdims=True))
    return np.asarray(shares * filled[:, None], np.float64)


def _towers(shapes: Sequence[Mapping[Shape, float]]) -> list[tuple[float, NDArray[np.bool_]]]:
    """The likeliest combinations of shapes, best first, with their log-weights against the best."""
    ranked = [sorted(((w, s) for s, w in own.items()), reverse=True) for own in shapes]
    start = (0,) * FLOOR
    queue = [(0.0, start)]
    known = {start}
    out: list[tuple[float, NDArray[np.bool_]]] = []
    while queue and len(out) < TOWERS:
        cost, ranks = heapq.heappop(queue)
        filled = np.array([ranked[column][rank][1] for column, rank in enumerate(ranks)]).T.ravel()
        out.append((-cost, filled.reshape(MOST_LEVELS * FLOOR)))
        for column, rank in enumerate(ranks):
            if rank + 1 >= len(ranked[column]):
                continue
            more = cost + ranked[column][rank][0] - ranked[column][rank + 1][0]
            step = (*ranks[:column], rank + 1, *ranks[column + 1 :])
            if more <= FAR_OFF and step not in known:
                known.add(step)
                heapq.heappush(queue, (more, step))
    return out
