"""Tell the page how far a turn has come, by boards that stood still while somebody plays it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from referee.games.contract import Progress
from referee.games.terra_turrium.position.position import TerraPosition, side_of
from referee.games.terra_turrium.ruleset import POINTS
from referee.games.terra_turrium.search.frames import StillBoard, missing, stretch
from referee.values.board import Board
from referee.values.words import say


def progress(position: TerraPosition, seen: Sequence[Board]) -> tuple[Progress, ...]:
    """Return cubes taken, placed and in the hand, and the points used as far as they can be told.

    Each board is compared with the one before it, so a cube that was taken and put back counts when both were seen,
    as long as no more were taken with it than a turn takes: beyond that it was a slip, as the ruling has it. Points
    are the fewest with which rule-abiding moves lead from board to board; where none do, they are not told.
    """
    stills = [StillBoard(*_of(position)), *(StillBoard.of(board) for board in seen)]
    taken = placed = 0
    for here, there in pairwise(stills):
        taken += len(missing(here.heights, there.heights))
        placed += len(missing(there.heights, here.heights))
    most = max(position.rules.take_counts)
    put_back = taken - len(missing(stills[0].heights, stills[-1].heights))
    slips = min(put_back, max(0, taken - most))
    taken, placed = taken - slips, placed - slips
    player = position.to_move
    hand = taken - placed + position.reserve[player]
    found = [
        Progress("taken", say("cubes taken"), taken, most),
        Progress("placed", say("cubes placed"), placed),
        Progress("in_hand", say("cubes in hand"), max(0, hand)),
    ]
    points = _points(position, stills)
    if points is not None:
        found.append(Progress("points", say("movement points used"), points, POINTS))
    return tuple(found)


def _of(position: TerraPosition) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return position.grids[0], position.flag_masks


def _points(position: TerraPosition, stills: Sequence[StillBoard]) -> int | None:
    side = side_of(position, position.to_move)
    used = 0
    for here, there in pairwise(stills):
        if here.flags == there.flags:
            continue
        moves = stretch(position.rules, side, there.heights, here.flags, there.flags, POINTS - used)
        if moves is None:
            return None
        used += sum(move.points for move in moves)
    return used
