"""Moves of hands on a virtual board of stacks: they lift a piece before they touch its stones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import takewhile

import numpy as np

from calibration.table import TableSetup
from referee.games.contract import RequestError
from referee.kinds.grid.presets import TablePreset
from referee.kinds.grid.table import Margins, Measures, table_data
from referee.values.board import Board, Field
from referee.values.kit import Kit
from referee.values.words import say
from referee.virtual.touching import OVER_MM, Touch

PLACES = {"left": (-118.0, 58.0), "right": (-35.0, 56.0)}
"""Azimuth and elevation each camera looks from, degrees: high, so that towers hide little."""
TOP_MM = 70.0


def laid(game: str, preset: TablePreset, cameras: Sequence[str]) -> dict[str, object]:
    """Return the contents of a virtual table's ``table.json``."""
    margins = Margins(preset.tracks, preset.track_off_mm, preset.track_pitch_mm) if preset.tracks else None
    measures = Measures(
        game=game,
        columns=preset.columns,
        rows=preset.rows,
        pitch_mm=preset.pitch_mm,
        stone_mm=preset.stone_mm,
        figures=preset.figures,
        flag_style=preset.flag_style,
        board_mm=preset.board_mm,
        thickness_mm=preset.thickness_mm,
        margins=margins,
        cameras=cameras,
    )
    return table_data(measures)


def touches(before: str, after: str, table: TableSetup, kit: Kit) -> list[Touch]:
    """Return what hands do between two boards. Raises BoardError or ValueError."""
    return _stack_touches(_board(before, table, kit), _board(after, table, kit), table)


def acted(lying: str, act: Mapping[str, object], table: TableSetup, kit: Kit) -> str:
    """Return what lies there after one act.

    ``take`` and ``put`` (a stone, at ``field``), ``piece`` (one of that letter comes onto ``field``), ``lift`` (what
    stands on ``field`` goes), ``move`` (it goes ``to`` another field).
    """
    return _stacked(_board(lying, table, kit), act, kit)


def toppled(lying: str, table: TableSetup, kit: Kit, field: Field) -> str:
    """Return what lies there once a stack fell: its stones lie on the fields along its row, its piece is gone.

    It falls over the lower of its neighbours, and no stone comes to lie on, or beyond, a stack that is higher than
    what stays of it.
    """
    board = _board(lying, table, kit)
    heights, pieces = board.heights.copy(), board.flags.copy()
    away = 1 if field.col < table.columns // 2 else -1
    beside = [int(heights[field.row, col]) for way in (1, -1) for col in _along(field, way, board)[:1]]
    stays = min(int(heights[field]), max(1, min(beside, default=0)))
    fallen, heights[field], pieces[field] = int(heights[field]) - stays, stays, 0
    reached = [
        col
        for way in (away, -away)
        for col in takewhile(lambda col: board.heights[field.row, col] <= stays, _along(field, way, board))
    ]
    for col in [col for col in reached if not pieces[field.row, col]][:fallen]:
        heights[field.row, col] += 1
    return Board(heights, pieces, board.letters).text


def _along(field: Field, way: int, board: Board) -> list[int]:
    """Return the columns that lie beside a field in its row, to one side, the nearest first."""
    columns = board.heights.shape[1]
    return list(range(field.col + 1, columns)) if way > 0 else list(range(field.col - 1, -1, -1))


def tallest(lying: str, table: TableSetup, kit: Kit) -> Field:
    """Return the field of the highest stack."""
    heights = _board(lying, table, kit).heights
    row, col = np.unravel_index(int(np.argmax(heights)), heights.shape)
    return Field(int(row), int(col))


def _board(text: str, table: TableSetup, kit: Kit) -> Board:
    return Board.parse(text, table.rows, table.columns, kit.letters)


def _stack_touches(before: Board, after: Board, table: TableSetup) -> list[Touch]:
    heights, pieces = before.heights.copy(), before.flags.copy()
    found: list[Touch] = []

    def visit(row: int, col: int) -> None:
        x, y = table.centre_mm(row, col)
        top = float(heights[row, col]) * table.cube_mm[2] + OVER_MM
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


def _stacked(board: Board, act: Mapping[str, object], kit: Kit) -> str:
    place = _place(board, act.get("field"))
    heights, pieces = board.heights.copy(), board.flags.copy()
    match act.get("do"):
        case "take":
            _free(board, place, kit)
            if not heights[place]:
                raise RequestError("act", say("Nothing can be taken from {field}.", field=place.name))
            heights[place] -= 1
        case "put":
            _free(board, place, kit)
            if heights[place] >= kit.tallest:
                raise RequestError("act", say("Nothing can be put on {field}.", field=place.name))
            heights[place] += 1
        case "piece":
            letter = act.get("piece")
            _free(board, place, kit)
            if not isinstance(letter, str) or len(letter) != 1 or letter not in kit.letters:
                raise RequestError("act", say("Nothing can be put on {field}.", field=place.name))
            pieces[place] = kit.letters.index(letter) + 1
        case "lift":
            if not pieces[place]:
                raise RequestError("act", say("Nothing can be taken from {field}.", field=place.name))
            pieces[place] = 0
        case "move":
            to = _place(board, act.get("to"))
            if not pieces[place]:
                raise RequestError("act", say("Nothing can be taken from {field}.", field=place.name))
            _free(board, to, kit)
            pieces[to], pieces[place] = pieces[place], 0
        case other:
            raise RequestError("act", say("Hands have no act called {name}.", name=str(other)[:20]))
    return Board(heights, pieces, board.letters).text


def _free(board: Board, place: Field, kit: Kit) -> None:
    """Raise RequestError, naming the piece, where one stands on a field."""
    if board.flags[place]:
        piece = kit.pieces[int(board.flags[place]) - 1].name
        words = say("{piece} stands on {field}: take that piece off first.", piece=piece, field=place.name)
        raise RequestError("act", words)


def _place(board: Board, name: object) -> Field:
    place = Field.from_name(name)
    rows, columns = board.heights.shape
    if place.row >= rows or not 0 <= place.col < columns:
        raise RequestError("act", say("{field} is no field of this board.", field=place.name))
    return place
