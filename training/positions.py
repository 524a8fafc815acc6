"""Draws random positions: how high stacks are and what stands where, for both kinds of board."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int8]
KING = 9
"""The king's class; 1 to 8 are the colours of ``training.pieces.HUES``."""
STARTS = 8
"""Castles a game of Torres begins with."""


def random_heights(rng: np.random.Generator, fields: int) -> Ints:
    """Draw heights (row, col) of a board covered with stones.

    They are openings, games under way and wild scatterings of towers.
    """
    rings = int(rng.choice([0, 1, 2], p=[0.7, 0.2, 0.1])) if fields == 10 else 0
    heights = np.zeros((fields, fields), int)
    inside = np.zeros((fields, fields), bool)
    inside[rings : fields - rings, rings : fields - rings] = True
    heights[inside] = 1
    if rings < 2:
        heights[3 : fields - 3, 3 : fields - 3] = 2
    kind = str(rng.choice(["opening", "game", "late", "wild"], p=[0.2, 0.35, 0.25, 0.2]))
    moves = {"opening": rng.integers(0, 25), "game": rng.integers(30, 120), "late": rng.integers(100, 260), "wild": 0}
    power = rng.uniform(0.0, 1.4)
    taste = np.exp(rng.normal(size=heights.shape) * rng.uniform(0.2, 1.3)) * inside
    for _ in range(moves[kind]):
        takeable = (heights > 0) * np.where(heights > 3, 0.3, 1.0)
        heights.flat[rng.choice(heights.size, p=takeable.ravel() / takeable.sum())] -= 1
        weight = taste * (heights + 0.5) ** power * (heights < 9)
        heights.flat[rng.choice(heights.size, p=weight.ravel() / weight.sum())] += 1
    if kind == "wild":
        share, tall = rng.uniform(0.2, 0.9), rng.integers(3, 10)
        there = rng.random(heights.shape) < rng.uniform(0.05, 0.4)
        towers = rng.integers(0, tall + 1, size=heights.shape) * there
        heights = np.where(rng.random(heights.shape) < share, heights, 0)
        heights = np.where(towers > 0, towers, heights) * inside
    return np.clip(heights, 0, 9).astype(np.int8)


def castles(heights: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return each field's castle (row, col): a number for every connected set of stacks, 0 for the ground."""
    number = np.where(heights > 0, np.arange(1, heights.size + 1).reshape(heights.shape), 0)
    while True:
        padded = np.pad(number, 1)
        near = np.max([padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:], number], axis=0)
        grown = np.where(heights > 0, near, 0)
        if (grown == number).all():
            return number
        number = grown


def random_castles(rng: np.random.Generator, fields: int) -> Ints:
    """Draw heights (row, col) of castles growing out of single blocks; some break the rules of joining and height."""
    heights = np.zeros((fields, fields), int)
    heights.flat[rng.choice(heights.size, size=STARTS, replace=False)] = 1
    careful, power = rng.random() < 0.7, rng.uniform(0, 1.5)
    for _ in range(int(rng.choice([rng.integers(0, 20), rng.integers(15, 85)]))):
        number = castles(heights)
        areas = np.bincount(number.ravel(), minlength=heights.size + 1)
        padded = np.pad(number, 1)
        sides = np.stack([padded[:-2, 1:-1], padded[2:, 1:-1], padded[1:-1, :-2], padded[1:-1, 2:]])
        grows = (heights == 0) & (sides.max(axis=0) > 0)
        if careful:
            least = np.where(sides > 0, sides, heights.size + 1).min(axis=0)
            grows &= least == sides.max(axis=0)
        rises = (heights > 0) & (heights < (areas[number] if careful else 9)) & (heights < 9)
        weight = np.where(rises, (heights + 0.2) ** power, np.where(grows, rng.uniform(0.3, 1.5), 0.0))
        if weight.sum() > 0:
            heights.flat[rng.choice(heights.size, p=weight.ravel() / weight.sum())] += 1
    return heights.astype(np.int8)


def random_flags(rng: np.random.Generator, heights: Ints) -> Ints:
    """Draw flags (row, col), classes 1 to 4, on stacks; now and then on the bare board, where breaches put them.

    Sometimes there are more than a game has.
    """
    flags = np.zeros(heights.shape, np.int8)
    rows, cols = (n // 2 for n in heights.shape)
    each = rng.integers(2, 9)
    ground = rng.choice([0.0, 0.15])
    home = rng.random() < 0.4
    for colour in range(1, 5):
        weight = np.where(heights > 0, 1.0, ground) * (flags == 0) * np.where(heights > 1, rng.uniform(0.5, 3), 1.0)
        if home:
            mask = np.full(heights.shape, 0.1)
            mask[
                (slice(0, rows), slice(rows, None))[colour % 2], (slice(0, cols), slice(cols, None))[colour // 2 % 2]
            ] = 1
            weight = weight * mask
        _put(rng, flags, weight, int(each), colour)
    return flags


def random_knights(rng: np.random.Generator, heights: Ints, colours: list[int], kings: int) -> Ints:
    """Draw knights (row, col) of these classes, mostly near their own, on stacks and on the ground; so many kings.

    With more kings than one there are more knights as well: not a game, but more to learn from a picture.
    """
    pieces = np.zeros(heights.shape, np.int8)
    high = rng.uniform(0.5, 3)
    _put(rng, pieces, np.where(heights > 0, 1.0, 0.2 if kings > 1 else 0.05), kings, KING)
    low, most = (5, 10) if kings > 1 else (1, 8)
    rows, cols = np.indices(heights.shape)
    for colour in colours:
        centre = rng.uniform(0, heights.shape[0], size=2)
        near = np.exp(-np.hypot(rows - centre[0], cols - centre[1]) / rng.uniform(1, 8))
        weight = (near + 0.02) * (pieces == 0) * np.where(heights > 0, high, 1.0)
        _put(rng, pieces, weight, int(rng.integers(low, most)), colour)
    return pieces


def _put(rng: np.random.Generator, pieces: Ints, weight: NDArray[np.float64], number: int, kind: int) -> None:
    number = min(number, int((weight > 0).sum()))
    if number:
        where = rng.choice(pieces.size, size=number, replace=False, p=weight.ravel() / weight.sum())
        pieces.flat[where] = kind


def random_offsets(
    rng: np.random.Generator, heights: Ints, pitch: float, side: float, most: float | None = None
) -> NDArray[np.float64]:
    """Draw how far every stack stands off its field's middle, (row, col, 2) mm, without overlap.

    most: up to so many fields; by itself up to a quarter of one, on half of the tables not at all.
    """
    far = pitch * float(rng.choice([0.0, rng.uniform(0.03, 0.1), rng.uniform(0.1, 0.25)], p=[0.45, 0.3, 0.25]))
    far = far if most is None else most * pitch
    angle, away = rng.uniform(0, 2 * np.pi, heights.shape), far * np.sqrt(rng.random(heights.shape))
    offsets = np.stack([np.cos(angle), np.sin(angle)], -1) * away[..., None]
    for _ in range(8):
        for axis in (0, 1):
            along = offsets[..., axis].T if axis else offsets[..., axis]
            there = heights.T > 0 if axis else heights > 0
            lap = np.maximum(0, side * 1.02 - (pitch + along[:, 1:] - along[:, :-1])) / 2
            lap *= there[:, 1:] & there[:, :-1]
            along[:, 1:] += lap
            along[:, :-1] -= lap
    return np.clip(offsets, -max(0.25 * pitch, far), max(0.25 * pitch, far))
