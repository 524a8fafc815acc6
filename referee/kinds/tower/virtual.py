"""Moves of hands at a virtual tower: they lay or take off one bar at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from calibration.table import TableSetup
from referee.games.contract import RequestError
from referee.kinds.tower.presets import TowerPreset
from referee.kinds.tower.table import table_data
from referee.values.board import Field
from referee.values.kit import Kit
from referee.values.words import say
from referee.virtual.touching import OVER_MM, Touch
from vision.tower.grid import FLOOR, SIDE, cell_name, cell_number, other_half
from vision.tower.history import cells_of

PLACES = {"left": (-92.0, 24.0), "right": (-70.0, 44.0)}
"""Azimuth and elevation each camera looks from, degrees: a tower is looked at from low, to see its sides."""
TOP_MM = 110.0
MOST_FALLEN = 3
"""Bars that lie off a tower that was knocked over."""


def laid(game: str, preset: TowerPreset, cameras: Sequence[str]) -> dict[str, object]:
    """Return the contents of a virtual table's ``table.json``."""
    return table_data(game, preset.bar_mm, preset.base_mm, preset.board_mm, cameras)


def touches(before: str, after: str, table: TableSetup, kit: Kit) -> list[Touch]:
    """Return what hands do between two towers. Raises ValueError."""
    return _bar_touches(before, after, table)


def acted(lying: str, act: Mapping[str, object], table: TableSetup, kit: Kit) -> str:
    """Return what stands after ``lay`` or ``remove`` of a ``bar`` as ``a1b1.2`` or ``c3.2^``, of a ``colour``."""
    return _barred(lying, act)


def toppled(lying: str, table: TableSetup, kit: Kit, field: Field) -> str:
    """Return what stands once the uppermost bars fell."""
    bars = dict(sorted(bars_of(lying).items()))
    for bar in list(bars)[-min(MOST_FALLEN, len(bars)) :]:
        del bars[bar]
    return tower_of(bars)


def tallest(lying: str, table: TableSetup, kit: Kit) -> Field:
    """Return any field: there is one tower."""
    return Field(0, 0)


Bars = Mapping[tuple[int, int], bool]
"""Bars by their two cells, the lower, western or southern one first: whether each is of the light colour."""


def bars_of(text: str) -> dict[tuple[int, int], bool]:
    """Return the bars of a tower text. Raises ValueError for a wrong text, or one with half bars."""
    signs = cells_of(text)
    found = {}
    for cell, sign in enumerate(signs):
        if sign == "." or sign in "?xX":
            continue
        other = other_half(cell, sign.lower())
        if other is None or signs[other].isupper() != sign.isupper():
            raise ValueError(f"{cell_name(cell)} is half a bar: both halves must be there")
        found[min(cell, other), max(cell, other)] = sign.isupper()
    return found


def tower_of(bars: Bars) -> str:
    """Return the text of a tower made of bars."""
    signs: dict[int, str] = {}
    for (first, second), light in bars.items():
        step = {1: "ew", SIDE: "ns", FLOOR: "ud"}[second - first]
        for cell, letter in zip((first, second), step, strict=True):
            signs[cell] = letter.upper() if light else letter
    levels = max(signs, default=-1) // FLOOR + 1
    rows = [[level * FLOOR + row * SIDE + col for row in (2, 1, 0) for col in range(SIDE)] for level in range(levels)]
    return "/".join("".join(signs.get(cell, ".") for cell in cells) for cells in rows)


def _bar_touches(before: str, after: str, table: TableSetup) -> list[Touch]:
    now, goal = bars_of(before), bars_of(after)
    found: list[Touch] = []

    def visit(bar: tuple[int, int]) -> None:
        middle = np.mean([table.centre_mm(cell % FLOOR // SIDE, cell % SIDE) for cell in bar], axis=0)
        top = (bar[1] // FLOOR + 1) * table.cube_mm[2] + OVER_MM
        found.append(Touch(tower_of(now), float(middle[0]), float(middle[1]), top))

    for bar in sorted((bar for bar in now if goal.get(bar) != now[bar]), reverse=True):
        del now[bar]
        visit(bar)
    for bar in sorted(bar for bar in goal if bar not in now):
        now[bar] = goal[bar]
        visit(bar)
    return found


def _barred(lying: str, act: Mapping[str, object]) -> str:
    bars = bars_of(lying)
    bar = bar_named(act.get("bar"))
    name = str(act.get("bar"))
    if act.get("do") == "remove":
        if bars.pop(bar, None) is None:
            raise RequestError("act", say("Nothing can be taken from {field}.", field=name))
    elif act.get("do") == "lay":
        filled = {cell for other in bars for cell in other}
        if filled & set(bar):
            raise RequestError("act", say("Nothing can be put on {field}.", field=name))
        bars[bar] = act.get("colour") == "light"
    else:
        raise RequestError("act", say("Hands have no act called {name}.", name=str(act.get("do"))[:20]))
    return tower_of(bars)


def bar_named(name: object) -> tuple[int, int]:
    """Return the two cells of a bar's place. Raises ValueError for a wrong name."""
    if not isinstance(name, str) or not 5 <= len(name) <= 8:
        raise ValueError("a bar's place is written a1b1.2 lying, c3.2^ standing")
    if name.endswith("^"):
        first = cell_number(name[:-1])
        return first, first + FLOOR
    level = name.partition(".")[2]
    cells = sorted((cell_number(f"{name[:2]}.{level}"), cell_number(name[2:])))
    if cells[1] - cells[0] not in (1, SIDE):
        raise ValueError(f"{name!r} is no place of a bar: its two cells lie side by side")
    return cells[0], cells[1]
