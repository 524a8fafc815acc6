"""Pairs squares into bars: it weighs every way in which the filled cells split into bars.

A bar joins two neighbouring cells of one colour. Level by level, what matters of the bars below is only which cells
they already fill, so all splits are summed exactly (the transfer matrix of dimer coverings; forward and backward as
in Rabiner, A Tutorial on Hidden Markov Models, 1989).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from vision.tower.grid import CELLS, FLOOR, MOST_LEVELS, SIDE

MASKS = 1 << FLOOR
EAST, NORTH, UP = 0, 1, 2
STRIDES = (1, SIDE, FLOOR)
"""From a bar's first cell to its other one, by direction east, north, up."""


@dataclass(frozen=True, eq=False)
class Pairings:
    """All splits of one tower's cells into bars.

    log_total: logarithm of their summed weight, -inf where there is none. joined: (CELLS, 3) probability that a cell
    and its neighbour to the east, to the north, above, are one bar. colours: (CELLS, 2) probability that a bar's cell
    is light or dark; 0 where empty.
    """

    log_total: float
    joined: NDArray[np.float64]
    colours: NDArray[np.float64]


def pair_cells(filled: NDArray[np.bool_], colours: NDArray[np.float64], joins: NDArray[np.float64]) -> Pairings:
    """Weigh all splits of the filled cells into bars.

    filled: (CELLS,). colours: (CELLS, 2) log-likelihood of light and dark. joins: (CELLS, 3) log-odds for each cell
    and its neighbour to the east, north, above to be one bar.
    """
    weights = _weights(colours, joins)
    masks = (filled.reshape(MOST_LEVELS, FLOOR) @ (1 << np.arange(FLOOR))).astype(np.int64)
    top = int(np.flatnonzero(masks).max()) + 1 if masks.any() else 0
    steps = [_level(level, masks, weights) for level in range(top)]
    forward = [np.zeros(MASKS)]
    forward[0][0] = 1.0
    log_total = 0.0
    for step in steps:
        ahead = np.bincount(step.up, forward[-1][step.down] * step.weight, MASKS)
        scale = ahead.max()
        if scale <= 0:
            return Pairings(-np.inf, np.zeros((CELLS, 3)), np.zeros((CELLS, 2)))
        log_total += float(np.log(scale)) + step.log_scale
        forward.append(ahead / scale)
    if forward[-1][0] <= 0:
        return Pairings(-np.inf, np.zeros((CELLS, 3)), np.zeros((CELLS, 2)))
    log_total += float(np.log(forward[-1][0]))
    joined = _joined(steps, forward)
    return Pairings(log_total, joined, _colours(joined, colours))


@dataclass(frozen=True, eq=False)
class _Step:
    """The ways to fill one level: cells filled from below, cells whose bar goes on upwards, the split, its weight."""

    down: NDArray[np.int64]
    up: NDArray[np.int64]
    split: NDArray[np.int64]
    weight: NDArray[np.float64]
    log_scale: float


@cache
def _splits() -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return every set of lying bars on one level.

    Masks of the cells they fill, and (k, FLOOR, 2) which pairs they are.
    """
    edges = [
        (c, k)
        for c in range(FLOOR)
        for k in (EAST, NORTH)
        if (c % SIDE < SIDE - 1 if k == EAST else c < FLOOR - SIDE)
    ]
    masks, pairs = [], []

    def extend(start: int, mask: int, chosen: list[tuple[int, int]]) -> None:
        masks.append(mask)
        use = np.zeros((FLOOR, 2), np.bool_)
        for cell, way in chosen:
            use[cell, way] = True
        pairs.append(use)
        for n in range(start, len(edges)):
            cell, way = edges[n]
            bits = 1 << cell | 1 << (cell + STRIDES[way])
            if not mask & bits:
                extend(n + 1, mask | bits, [*chosen, edges[n]])

    extend(0, 0, [])
    return np.array(masks), np.stack(pairs)


@cache
def _tables() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return every pair of cells filled from below and a split of others: masks from below, numbers of splits."""
    masks, _ = _splits()
    down, split = np.nonzero((np.arange(MASKS)[:, None] & masks[None]) == 0)
    return down, split


@cache
def _bits() -> NDArray[np.bool_]:
    return (np.arange(MASKS)[:, None] >> np.arange(FLOOR) & 1).astype(np.bool_)


def _weights(colours: NDArray[np.float64], joins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the weight of every possible bar, (CELLS, 3): of one colour, whichever it is."""
    out = np.full((CELLS, 3), -np.inf)
    for way, stride in enumerate(STRIDES):
        first = np.arange(CELLS - stride)
        out[first, way] = np.logaddexp.reduce(colours[first] + colours[first + stride], axis=1) + joins[first, way]
    return out


def _level(level: int, masks: NDArray[np.int64], weights: NDArray[np.float64]) -> _Step:
    """Return the ways to fill a level's cells, masks[level]: bars from below, lying bars, the rest going up."""
    split_masks, pairs = _splits()
    down, split = _tables()
    here, above = int(masks[level]), int(masks[level + 1]) if level + 1 < MOST_LEVELS else 0
    lying = split_masks[split]
    fits = ((down | lying) & ~here) == 0
    down, split, lying = down[fits], split[fits], lying[fits]
    up = here & ~down & ~lying
    fits = (up & ~above) == 0
    down, split, up = down[fits], split[fits], up[fits]
    own = weights[level * FLOOR : (level + 1) * FLOOR]
    flat = np.where(pairs, np.nan_to_num(own[:, :2], neginf=-1e9), 0.0).sum(axis=(1, 2))
    tall = np.where(_bits(), np.nan_to_num(own[:, UP], neginf=-1e9), 0.0).sum(axis=1)
    log_weight = flat[split] + tall[up]
    scale = float(log_weight.max(initial=-1e9))
    return _Step(down, up, split, np.exp(log_weight - scale), scale)


def _joined(steps: list[_Step], forward: list[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the probability of every bar, (CELLS, 3), from the sums forward and a walk back."""
    out = np.zeros((CELLS, 3))
    backward = np.zeros(MASKS)
    backward[0] = 1.0
    _, pairs = _splits()
    for level in range(len(steps) - 1, -1, -1):
        step = steps[level]
        share = forward[level][step.down] * step.weight * backward[step.up]
        share /= max(float(share.sum()), 1e-300)
        own = slice(level * FLOOR, (level + 1) * FLOOR)
        out[own, :2] = np.tensordot(np.bincount(step.split, share, len(pairs)), pairs, axes=1)
        out[own, UP] = np.bincount(step.up, share, MASKS) @ _bits()
        back = np.bincount(step.down, step.weight * backward[step.up], MASKS)
        backward = back / max(float(back.max()), 1e-300)
    return out


def _colours(joined: NDArray[np.float64], colours: NDArray[np.float64]) -> NDArray[np.float64]:
    out = np.zeros((CELLS, 2))
    for way, stride in enumerate(STRIDES):
        first = np.arange(CELLS - stride)
        both = colours[first] + colours[first + stride]
        share = np.exp(both - np.logaddexp.reduce(both, axis=1, keepdims=True)) * joined[first, way : way + 1]
        out[first] += share
        out[first + stride] += share
    return out
