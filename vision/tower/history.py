"""Expects the tower that stood before: its bars still stand, but for one or two that a turn may change.

This is a prior that may be wrong: what the pictures show plainly outweighs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.tower.belief import Shape
from vision.tower.grid import CELLS, FLOOR, MOST_LEVELS, SIDE, other_half

KEPT = 6.0
"""Log-odds that the two halves of a bar that stood before are one bar still."""
SAME_COLOUR = 4.0
"""Log-odds that a cell filled before has the colour it had."""
CHANGED = 3.0
"""Cost of a column that is not as it was, nats: a turn lays one bar, rarely two, and takes off at most one."""


def cells_of(tower: str) -> list[str]:
    """Return the signs of a tower text, CELLS of them, ``.`` above it. Raises ValueError for any other text."""
    signs = ["."] * CELLS
    levels = tower.split("/") if tower else []
    if len(levels) > MOST_LEVELS:
        raise ValueError(f"a tower has at most {MOST_LEVELS} levels, not {len(levels)}")
    for level, text in enumerate(levels):
        if len(text) != FLOOR or set(text) - set(".?xXeEnNsSwWuUdD"):
            raise ValueError(f"level {level + 1} is {text!r}: nine of . ? x X and the letters n e s w u d are needed")
        for place, sign in enumerate(text):
            row, column = SIDE - 1 - place // SIDE, place % SIDE
            signs[level * FLOOR + row * SIDE + column] = sign
    return signs


def with_history(
    shapes: Sequence[Mapping[Shape, float]],
    colours: NDArray[np.float64],
    joins: NDArray[np.float64],
    before: Sequence[str],
) -> tuple[list[dict[Shape, float]], NDArray[np.float64], NDArray[np.float64]]:
    """Add what the signs of the tower before (CELLS) tell to shapes, colours and joins."""
    new_colours, new_joins = colours.copy(), joins.copy()
    for cell, sign in enumerate(before):
        if sign in ".?":
            continue
        new_colours[cell, 0 if sign.islower() else 1] -= SAME_COLOUR
        way = "enu".find(sign.lower())
        if way >= 0 and other_half(cell, sign.lower()) is not None:
            new_joins[cell, way] += KEPT
    new_shapes = []
    for column, own in enumerate(shapes):
        signs = [before[column + FLOOR * level] for level in range(MOST_LEVELS)]
        new_shapes.append({shape: weight - CHANGED * _differs(shape, signs) for shape, weight in own.items()})
    return new_shapes, new_colours, new_joins


def changed(filled: NDArray[np.bool_], before: Sequence[str]) -> int:
    """Return how many columns of a tower, (CELLS,) filled, are not as the signs before say."""
    levels, signs = filled.reshape(MOST_LEVELS, FLOOR), np.array(before).reshape(MOST_LEVELS, FLOOR)
    return int(((signs != "?") & (levels != (signs != "."))).any(axis=0).sum())


def _differs(shape: Shape, signs: Sequence[str]) -> bool:
    return any(sign != "?" and filled != (sign != ".") for filled, sign in zip(shape, signs, strict=True))
