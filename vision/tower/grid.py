"""The tower's grid: a square of columns and as many levels as can be built, in the board's own axes.

A cell has a number: level * 9 + row * 3 + column, all from 0; row 0 is row "1" (south), column 0 is column "a"
(west).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.table import TableSetup

SIDE = 3
FLOOR = SIDE * SIDE
"""Cells of a level."""
MOST_LEVELS = 13
"""Forty bars with at most three unfinished levels reach level 11; two more stay for towers that break the rules."""
CELLS = FLOOR * MOST_LEVELS
BARS_A_COLOUR = 20
STEPS = {"e": 1, "w": -1, "n": SIDE, "s": -SIDE, "u": FLOOR, "d": -FLOOR}
"""From a cell to the one its bar's other half fills, by the letter of the tower text."""


@dataclass(frozen=True)
class TowerSizes:
    """Sizes of bars and board, mm.

    pitch_mm: distance of neighbouring columns along x and y. unit_mm: height of a level, a bar's short side. base_mm:
    height of the base the tower stands on above the markers' plane. board_mm: the board's extent along x and y.
    """

    pitch_mm: tuple[float, float]
    unit_mm: float
    base_mm: float
    board_mm: tuple[float, float]

    @classmethod
    def of(cls, table: TableSetup) -> TowerSizes:
        """Return the sizes of a table of bars. Raises CalibrationError for any other table."""
        if table.tower is None:
            raise CalibrationError("table.json gives no bar: only a table of bars has a tower to read")
        return cls(table.pitch_mm, table.cube_mm[2], table.tower.base_mm, table.tower.board_mm)

    def planes_mm(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return the places of the grid's planes along x (4,), y (4,) and z (levels + 1,), mm."""
        steps = np.arange(SIDE + 1, dtype=np.float64) - SIDE / 2
        levels = self.base_mm + np.arange(MOST_LEVELS + 1, dtype=np.float64) * self.unit_mm
        return steps * self.pitch_mm[0], steps * self.pitch_mm[1], levels

    def corners_mm(self, low: int, high: int) -> NDArray[np.float64]:
        """Return the (8, 3) corners of the grid's levels from ``low`` to below ``high``, mm."""
        xs, ys, zs = self.planes_mm()
        return np.array([(x, y, z) for x in (xs[0], xs[-1]) for y in (ys[0], ys[-1]) for z in (zs[low], zs[high])])


def cell_name(cell: int) -> str:
    """Return the name of a cell, such as ``a1.1``."""
    level, place = divmod(cell, FLOOR)
    return f"{'abc'[place % SIDE]}{place // SIDE + 1}.{level + 1}"


def cell_number(name: str) -> int:
    """Return the number of a named cell. Raises ValueError for any other name."""
    column, row, level = "abc".index(name[0]), int(name[1]) - 1, int(name[3:]) - 1
    if not (0 <= row < SIDE and 0 <= level < MOST_LEVELS and name[2] == "."):
        raise ValueError(f"{name!r} is no cell of the tower")
    return level * FLOOR + row * SIDE + column


def other_half(cell: int, letter: str) -> int | None:
    """Return the cell that a letter of the tower text points at; ``None`` where it lies outside the grid."""
    level, place = divmod(cell, FLOOR)
    row, column = divmod(place, SIDE)
    outside = {
        "e": column == SIDE - 1,
        "w": column == 0,
        "n": row == SIDE - 1,
        "s": row == 0,
        "u": level == MOST_LEVELS - 1,
        "d": level == 0,
    }[letter]
    return None if outside else cell + STEPS[letter]


def neighbours() -> Iterator[tuple[int, int, str]]:
    """Yield every pair of cells that a bar can fill, and its letter (e, n, u).

    The lower, western or southern cell comes first.
    """
    for cell in range(CELLS):
        for letter in "enu":
            other = other_half(cell, letter)
            if other is not None:
                yield cell, other, letter
