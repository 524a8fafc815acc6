"""Give the frames of a turn, act by act."""

from __future__ import annotations

from collections.abc import Iterable

from referee.games.contract import Act
from referee.games.terra_turrium.colours import board_of
from referee.values.board import Board


def after_each(board: Board, acts: Iterable[Act], mover: int) -> list[Board]:
    """Return the boards after each act, and after each step of a walk; the rules are not asked."""
    heights, flags = board.heights.copy(), board.flags.copy()
    boards = [board]
    for act in acts:
        here = act.fields[0]
        if act.kind in ("take", "build"):
            heights[here] += 1 if act.kind == "build" else -1
        elif act.kind == "enter":
            flags[here] = mover
        for there in act.fields[1:]:
            boards.append(board_of(heights, flags))
            flags[here], flags[there], here = 0, mover, there
        boards.append(board_of(heights, flags))
    return boards


def passes(frames: list[Board], way: list[Board]) -> bool:
    rest = iter(way)
    return all(any(frame == board for board in rest) for frame in frames)


def heights(board: Board) -> list[list[int]]:
    rows: list[list[int]] = board.heights.tolist()
    return rows


def flags(board: Board) -> list[list[int]]:
    rows: list[list[int]] = board.flags.tolist()
    return rows
