"""What hands do on a table: from one board text to another, one touch at a time; rules play no part.

A touch is one visit of a hand to a place: a piece lifted or put down, stones of a field taken or added, a bar laid or
taken off. What stands on a stack is lifted before its stones are touched.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from calibration.table import TableSetup
from referee.games.contract import RequestError
from referee.values.board import Board, BoardError, Field
from referee.values.kit import Kit
from referee.values.words import say
from vision.tower.grid import FLOOR, SIDE, cell_name, cell_number, other_half
from vision.tower.history import cells_of

_OVER_MM = 16.0


@dataclass(frozen=True, slots=True)
class Touch:
    """lying: what lies on the table afterwards. x_mm, y_mm, z_mm: where the fingers were, the board not turned."""

    lying: str
    x_mm: float
    y_mm: float
    z_mm: float


def touches(before: str, after: str, table: TableSetup, kit: Kit) -> list[Touch]:
    """What hands do between two boards. Raises RequestError for a text that is no board of this table."""
    try:
        if kit.kind == "tower":
            return _bar_touches(before, after, table)
        return _stack_touches(_board(before, table, kit), _board(after, table, kit), table)
    except (BoardError, ValueError) as error:
        raise RequestError("board", str(error)) from error


def _board(text: str, table: TableSetup, kit: Kit) -> Board:
    return Board.parse(text, table.rows, table.columns, kit.letters)


def _stack_touches(before: Board, after: Board, table: TableSetup) -> list[Touch]:
    heights, pieces = before.heights.copy(), before.flags.copy()
    found: list[Touch] = []

    def visit(row: int, col: int) -> None:
        x, y = table.centre_mm(row, col)
        top = float(heights[row, col]) * table.cube_mm[2] + _OVER_MM
        found.append(Touch(Board(heights, pieces, before.letters).text, x, y, top))

    moved = (before.flags != after.flags) | ((before.heights != after.heights) & (before.flags > 0))
    for row, col in np.argwhere(moved & (before.flags > 0)):
        pieces[row, col] = 0
        visit(row, col)
    for lower in (True, False):
        for row, col in np.argwhere((after.heights < heights) if lower else (after.heights > heights)):
            heights[row, col] = after.heights[row, col]
            visit(row, col)
    for row, col in np.argwhere(after.flags != pieces):
        pieces[row, col] = after.flags[row, col]
        visit(row, col)
    return found


Bars = Mapping[tuple[int, int], bool]
"""Bars by their two cells, the lower, western or southern one first: whether each is of the light colour."""


def bars_of(text: str) -> dict[tuple[int, int], bool]:
    """The bars of a tower. Raises ValueError for a text that is none, or holds half bars."""
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
    """The text of bars."""
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
        top = (bar[1] // FLOOR + 1) * table.cube_mm[2] + _OVER_MM
        found.append(Touch(tower_of(now), float(middle[0]), float(middle[1]), top))

    for bar in sorted((bar for bar in now if goal.get(bar) != now[bar]), reverse=True):
        del now[bar]
        visit(bar)
    for bar in sorted(bar for bar in goal if bar not in now):
        now[bar] = goal[bar]
        visit(bar)
    return found


def acted(lying: str, act: Mapping[str, object], table: TableSetup, kit: Kit) -> str:
    """What lies there after one act of a person. Raises RequestError where hands can't do it.

    act: ``do`` and what it needs. On stacks ``take`` and ``put`` (a stone, at ``field``), ``piece`` (one of that
    letter comes onto ``field``), ``lift`` (what stands on ``field`` goes), ``move`` (it goes ``to`` another field).
    Of a tower ``lay`` and ``remove`` (a ``bar`` as ``a1b1.2`` or ``c3.2^``, of a ``colour``).
    """
    try:
        if kit.kind == "tower":
            return _barred(lying, act)
        return _stacked(_board(lying, table, kit), act, kit)
    except (BoardError, ValueError) as error:
        raise RequestError("act", str(error)) from error


def _stacked(board: Board, act: Mapping[str, object], kit: Kit) -> str:
    place = _place(board, act.get("field"))
    heights, pieces = board.heights.copy(), board.flags.copy()
    match act.get("do"):
        case "take":
            if pieces[place] or not heights[place]:
                raise RequestError("act", say("Nothing can be taken from {field}.", field=place.name))
            heights[place] -= 1
        case "put":
            if pieces[place] or heights[place] >= kit.tallest:
                raise RequestError("act", say("Nothing can be put on {field}.", field=place.name))
            heights[place] += 1
        case "piece":
            letter = act.get("piece")
            if not isinstance(letter, str) or len(letter) != 1 or letter not in kit.letters or pieces[place]:
                raise RequestError("act", say("Nothing can be put on {field}.", field=place.name))
            pieces[place] = kit.letters.index(letter) + 1
        case "lift":
            if not pieces[place]:
                raise RequestError("act", say("Nothing can be taken from {field}.", field=place.name))
            pieces[place] = 0
        case "move":
            to = _place(board, act.get("to"))
            if not pieces[place] or pieces[to]:
                raise RequestError("act", say("Nothing can be put on {field}.", field=to.name))
            pieces[to], pieces[place] = pieces[place], 0
        case other:
            raise RequestError("act", say("Hands have no act called {name}.", name=str(other)[:20]))
    return Board(heights, pieces, board.letters).text


def _place(board: Board, name: object) -> Field:
    place = Field.from_name(name)
    rows, columns = board.heights.shape
    if place.row >= rows or not 0 <= place.col < columns:
        raise RequestError("act", say("{field} is no field of this board.", field=place.name))
    return place


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
    """The two cells of a bar's place. Raises ValueError for a name that is none."""
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


def toppled(lying: str, table: TableSetup, kit: Kit, field: Field) -> str:
    """What lies there once a tower is knocked over: its stones lie on the fields along its row, its piece is gone."""
    if kit.kind == "tower":
        bars = dict(sorted(bars_of(lying).items()))
        for bar in list(bars)[-min(3, len(bars)) :]:
            del bars[bar]
        return tower_of(bars)
    board = _board(lying, table, kit)
    heights, pieces = board.heights.copy(), board.flags.copy()
    fallen, pieces[field] = max(int(heights[field]) - 1, 0), 0
    heights[field] -= fallen
    away = 1 if field.col < table.columns // 2 else -1
    along = [field.col + away * step for step in (*range(1, table.columns), *range(-1, -table.columns, -1))]
    free = [col for col in along if 0 <= col < table.columns and not pieces[field.row, col]]
    for col in free[:fallen]:
        heights[field.row, col] += 1
    return Board(heights, pieces, board.letters).text


def tallest(lying: str, table: TableSetup, kit: Kit) -> Field:
    """The highest stack, or any field where nothing stands on fields."""
    if kit.kind == "tower":
        return Field(0, 0)
    heights = _board(lying, table, kit).heights
    row, col = np.unravel_index(int(np.argmax(heights)), heights.shape)
    return Field(int(row), int(col))
