"""Random towers of bars that can stand, and their text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

CELL = tuple[int, int, int]
HALVES = {(1, 0, 0): "ew", (0, 1, 0): "ns", (0, 0, 1): "ud"}


@dataclass(frozen=True)
class Bar:
    """One bar: its two cells (column, row, level), the lower or western one first, and whether it is light."""

    cells: tuple[CELL, CELL]
    light: bool


def random_tower(rng: np.random.Generator, bars: int) -> list[Bar]:
    """Lay bars one after the other where they rest fully and no level lies more than two above an unfinished one."""
    filled: set[CELL] = set()
    out: list[Bar] = []
    while len(out) < bars:
        places = []
        lowest = 0
        while sum(cell[2] == lowest for cell in filled) == 9:
            lowest += 1
        for x, y, z in np.ndindex(3, 3, lowest + 3):
            for dx, dy, dz in HALVES:
                other = (x + dx, y + dy, z + dz)
                both = ((x, y, z), other)
                if max(other[0], other[1]) > 2 or other[2] > lowest + 2 or filled & set(both):
                    continue
                if all(c[2] == 0 or (c[0], c[1], c[2] - 1) in filled or (dz and c == other) for c in both):
                    places.append(both)
        if not places:
            break
        cells = places[rng.integers(len(places))]
        filled |= set(cells)
        out.append(Bar(cells, bool((len(out) + (rng.random() < 0.1)) % 2)))
    return out


def tower_text(bars: list[Bar]) -> str:
    """Return the tower as text (formats.md)."""
    signs = {}
    for bar in bars:
        (x, y, z), (u, v, w) = bar.cells
        pair = HALVES[u - x, v - y, w - z]
        for cell, sign in zip(bar.cells, pair, strict=True):
            signs[cell] = sign.upper() if bar.light else sign
    top = max((cell[2] for cell in signs), default=-1)
    rows = [[signs.get((x, y, z), ".") for y in (2, 1, 0) for x in range(3)] for z in range(top + 1)]
    return "/".join("".join(row) for row in rows)
