"""Turns on a grid of stacks: the referee looks at the board and the pieces on it."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from referee.values.board import Board, BoardError, Field

NEEDS_PICTURES = True
BOARD_IS_TURNED = False
NOTHING_SEEN = ""


def awaits_pieces(observed: Board) -> bool:
    """Return whether no piece stands on the board."""
    return not observed.flags.any()


def places_differing(before: Board, text: str) -> Mapping[str, str]:
    """Return height and piece of each field on which a board's text differs from the board before."""
    board = before.like(text)
    found = np.argwhere((board.heights != before.heights) | (board.flags != before.flags))
    return {place.name: board.stands(place) for place in (Field(int(row), int(col)) for row, col in found)}


def with_places(before: Board, places: Mapping[str, str]) -> str:
    """Return the text of the board with something else on some fields. Raises BoardError for none of its fields."""
    board = before
    for name, stands in places.items():
        place, told = Field.from_name(name), Board.parse(stands, 1, 1, before.letters)
        if place.row >= before.heights.shape[0] or place.col >= before.heights.shape[1]:
            raise BoardError("the board has no field {name}", name=name)
        board = board.with_field(place, int(told.heights[0, 0]), int(told.flags[0, 0]))
    return board.text


def same_change(before: Board, text: str, now: Board) -> str:
    """Return the text of a board on which as many stones and the same pieces change as from ``before`` to a text.

    Raises BoardError where no stack can be so.
    """
    after = before.like(text)
    heights = now.heights.astype(np.int64) + after.heights - before.heights
    flags = np.where(after.flags != before.flags, after.flags, now.flags)
    return Board(heights.astype(np.int8), flags.astype(np.int8), now.letters).text
