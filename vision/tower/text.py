"""The tower text of a reading.

Formats: ``x`` and ``X`` for a half whose other half is open, ``?`` for an open cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from referee.kinds.tower.observation import TowerEvidence
from vision.tower.belief import TowerBelief
from vision.tower.grid import CELLS, FLOOR, MOST_LEVELS, SIDE, other_half

SURE = 0.99
"""Least probability of what is told."""
SUREST = 0.999
"""Least probability of what an accusation may rest on."""
JOINED = 0.95
"""Two squares at least this likely of one bar are told to be."""
_LETTERS = ("e", "n", "u")
_BACK = ("w", "s", "d")


def told(belief: TowerBelief, sure: float = SURE, joined: float = JOINED) -> list[str]:
    """Return every cell's sign, CELLS of them.

    Empty is ``.``, open ``?``, a colour alone ``x`` or ``X``; other letters tell where its other half lies.
    """
    signs = []
    for cell in range(CELLS):
        light, dark = belief.colours[cell]
        if 1 - belief.filled[cell] >= sure:
            signs.append(".")
        elif max(light, dark) >= sure:
            signs.append("X" if light > dark else "x")
        else:
            signs.append("?")
    _name_halves(signs, belief.joined, joined)
    return signs


def _name_halves(signs: list[str], joined: NDArray[np.float64], least: float) -> None:
    for cell, way in zip(*np.nonzero(joined >= least), strict=True):
        first = int(cell)
        second = other_half(first, _LETTERS[way])
        if second is None:
            continue
        tones = {signs[c] for c in (first, second)} - {"?"}
        if tones not in ({"X"}, {"x"}):
            continue
        upper = tones == {"X"}
        for one, letter in ((first, _LETTERS[way]), (second, _BACK[way])):
            if signs[one] != "?":
                signs[one] = letter.upper() if upper else letter


def text_of(signs: list[str]) -> str:
    """Return the tower text: levels from 1 up to the highest that is not empty, rows 3 to 1, columns a to c."""
    levels = []
    for level in range(MOST_LEVELS):
        rows = [signs[level * FLOOR + row * SIDE : level * FLOOR + (row + 1) * SIDE] for row in range(SIDE)]
        levels.append("".join("".join(row) for row in reversed(rows)))
    while levels and set(levels[-1]) <= {"."}:
        levels.pop()
    return "/".join(levels)


def told_of(belief: TowerBelief, sides: Iterable[str], known: Mapping[int, str] | None = None) -> TowerEvidence:
    """Return what a belief tells the judge. sides: shown. known: signs of cells that somebody at the table says."""
    texts = []
    for sure in (SURE, SUREST):
        signs = told(belief, sure)
        for cell, sign in (known or {}).items():
            signs[cell] = sign
        texts.append(text_of(signs))
    return TowerEvidence(texts[0], texts[1], frozenset(sides))
