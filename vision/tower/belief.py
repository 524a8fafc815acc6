"""Computes how likely every cell of a tower is empty, light or dark, and which of them are one bar.

Columns are thought of as shapes (which of their cells are filled); a few whole towers, one shape for each column, are
weighed together, each with all its splits into bars.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.tower.grid import BARS_A_COLOUR, CELLS, FLOOR, MOST_LEVELS
from vision.tower.pairing import Pairings, pair_cells

Shape = tuple[bool, ...]
"""The filled cells of a column, from level 1 up, MOST_LEVELS of them."""
TOWERS = 48
"""Likeliest towers that are weighed."""
DRAWN = 96
"""Towers drawn at random where the likeliest leave some out."""
FAR_OFF = 9.0
"""Towers less likely than the likeliest by this many nats are left out."""


@dataclass(frozen=True, eq=False)
class TowerBelief:
    """A belief of every cell of a tower.

    filled: (CELLS,) probability that a cell is filled. colours: (CELLS, 2) that it is and is light, dark. joined:
    (CELLS, 3) that it and its neighbour east, north, above are one bar. likeliest: (CELLS,) the likeliest tower's
    cells.
    """

    filled: NDArray[np.float64]
    colours: NDArray[np.float64]
    joined: NDArray[np.float64]
    likeliest: NDArray[np.bool_]


def weigh(
    shapes: Sequence[Mapping[Shape, float]],
    colours: NDArray[np.float64],
    joins: NDArray[np.float64],
    others: Sequence[tuple[NDArray[np.bool_], float]] = (),
) -> TowerBelief:
    """Sum over whole towers.

    shapes: of each column the shapes it may have, with their log-weights. colours: (CELLS, 2) log-likelihoods of
    light and dark. joins: (CELLS, 3) log-odds of being one bar, for neighbours east, north, above. others: whole
    towers, (CELLS,) of what is filled, that are weighed besides, with log-weights on the shapes' scale.
    """
    found: list[tuple[float, NDArray[np.bool_], Pairings | None]] = []
    towers, all_of_them = _towers(shapes)
    for log_weight, filled in _with(towers if all_of_them else _drawn(shapes), others, shapes):
        split = pair_cells(filled, colours, joins)
        if np.isfinite(split.log_total) and filled.sum() <= 4 * BARS_A_COLOUR:
            found.append((log_weight + split.log_total - _offset(filled, colours), filled, split))
    if not found:
        # No tower splits into bars: what is seen is told cell by cell.
        found = [(towers[0][0], towers[0][1], None)]
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
    if not all_of_them:
        # Few of very many towers were looked at: nothing is surer than each column by itself allows.
        alone = np.stack([_column(own) for own in shapes], axis=1).ravel()
        doubt = np.clip(np.abs(alone - np.round(total)), 0, 1)
        total = np.where(doubt > np.abs(total - np.round(total)), alone, total)
        tones *= np.minimum(1, alone / np.maximum(tones.sum(axis=1), 1e-9))[:, None]
    return TowerBelief(total, tones, joined, best[1])


def _with(
    towers: Sequence[tuple[float, NDArray[np.bool_]]],
    others: Sequence[tuple[NDArray[np.bool_], float]],
    shapes: Sequence[Mapping[Shape, float]],
) -> list[tuple[float, NDArray[np.bool_]]]:
    """Return towers with those others that are not among them and not far off, log-weights against the best."""
    known = {filled.tobytes() for _, filled in towers}
    best = sum(max(own.values()) for own in shapes)
    besides = [(weight - best, filled) for filled, weight in others if filled.tobytes() not in known]
    return [*towers, *(one for one in besides if one[0] > -FAR_OFF)]


def _offset(filled: NDArray[np.bool_], colours: NDArray[np.float64]) -> float:
    """Return the log-weight of the colours of the filled cells, whichever bars they form.

    How well their faces fit is part of the shapes' weights already.
    """
    return float(np.logaddexp.reduce(colours[filled], axis=1).sum())


def _alone(filled: NDArray[np.bool_], colours: NDArray[np.float64]) -> NDArray[np.float64]:
    shares = np.exp(colours - np.logaddexp.reduce(colours, axis=1, keepdims=True))
    return np.asarray(shares * filled[:, None], np.float64)


def _chances(own: Mapping[Shape, float]) -> NDArray[np.float64]:
    weights = np.array(list(own.values()))
    shares = np.exp(weights - weights.max())
    return np.asarray(shares / shares.sum(), np.float64)


def _column(own: Mapping[Shape, float]) -> NDArray[np.float64]:
    """Return how likely each cell of a column is filled, by the column alone, (MOST_LEVELS,)."""
    return np.asarray(_chances(own) @ np.array(list(own), np.float64), np.float64)


def _drawn(shapes: Sequence[Mapping[Shape, float]]) -> list[tuple[float, NDArray[np.bool_]]]:
    """Draw towers at random, each column's shape as often as it is likely; always the same ones.

    Together they weigh what all towers do.
    """
    rng = np.random.default_rng(0)
    picks = []
    for own in shapes:
        all_shapes = np.array(list(own), np.bool_)
        picks.append(all_shapes[rng.choice(len(all_shapes), DRAWN, p=_chances(own))])
    towers = np.unique(np.stack(picks, axis=2).reshape(DRAWN, -1), axis=0)
    total = sum(float(-np.log(_chances(own).max())) for own in shapes)
    return [(total - float(np.log(len(towers))), filled) for filled in towers]


def _towers(shapes: Sequence[Mapping[Shape, float]]) -> tuple[list[tuple[float, NDArray[np.bool_]]], bool]:
    """Return the likeliest combinations of shapes, best first, and whether these are all.

    Each comes with its log-weight against the best.
    """
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
    return out, not queue
