"""Rule on the stages outside turns: laying the castles, placing the knights, and the king's move."""

from __future__ import annotations

from dataclasses import dataclass, replace

from referee.games.contract import RuleId
from referee.games.torres.board import TorresBoard
from referee.games.torres.colours import KING
from referee.games.torres.geometry import NAMES, bits, distance
from referee.games.torres.position.position import TorresPosition
from referee.games.torres.ruleset import (
    CASTLES,
    KING_MOVE,
    SETUP_CASTLES,
    SETUP_KING,
    SETUP_KNIGHT,
    START_DISTANCE,
)


@dataclass(frozen=True, slots=True)
class StageResult:
    """What a stage comes to: the act seen and the position after it, or the rule broken and where."""

    act: tuple[str, int] | None = None
    next: TorresPosition | None = None
    broken: RuleId | None = None
    fields: tuple[int, ...] = ()


def judge_stage(position: TorresPosition, observed: TorresBoard) -> StageResult:
    """Judge what was done in a stage outside turns: just the one thing to be done, or its own rule is broken."""
    if position.stage == "castles":
        return _castle(position, observed)
    if position.stage == "knights":
        return _knight(position, observed)
    return _king(position, observed)


def _differing(before: TorresBoard, after: TorresBoard) -> tuple[int, ...]:
    was = zip(before.heights, before.pieces, strict=True)
    now = zip(after.heights, after.pieces, strict=True)
    return tuple(i for i, (a, b) in enumerate(zip(was, now, strict=True)) if a != b)


def _castle(position: TorresPosition, observed: TorresBoard) -> StageResult:
    before = position.board
    fields = _differing(before, observed)
    broken = StageResult(broken=SETUP_CASTLES, fields=fields)
    if len(fields) != 1 or observed.pieces != before.pieces:
        return broken
    (field,) = fields
    laid = [i for i, h in enumerate(before.heights) if h]
    if before.heights[field] or observed.heights[field] != 1:
        return broken
    if any(distance(field, other) < START_DISTANCE for other in laid):
        return StageResult(
            broken=SETUP_CASTLES, fields=(field, *(i for i in laid if distance(field, i) < START_DISTANCE))
        )
    after = replace(
        position,
        board=observed,
        to_move=position.following(position.to_move),
        start_fields=(*position.start_fields, NAMES[field]),
    )
    if len(laid) + 1 >= CASTLES:
        after = replace(after, stage="knights", to_move=position.first)
    return StageResult(("castle", field), after)


def _put(position: TorresPosition, observed: TorresBoard, letter: str) -> int | None:
    """Return the field of a castle on which one piece was put, when nothing else has changed."""
    before = position.board
    fields = _differing(before, observed)
    if len(fields) != 1 or before.heights != observed.heights:
        return None
    (field,) = fields
    fits = not before.pieces[field] and observed.pieces[field] == letter and before.heights[field] > 0
    return field if fits else None


def _knight(position: TorresPosition, observed: TorresBoard) -> StageResult:
    field = _put(position, observed, position.to_move.letter)
    if field is None:
        return StageResult(broken=SETUP_KNIGHT, fields=_differing(position.board, observed))
    after = replace(position, board=observed, to_move=position.following(position.to_move))
    if after.to_move == position.first:
        after = replace(after, stage="king", to_move=position.to_move)
    return StageResult(("place", field), after)


def _king(position: TorresPosition, observed: TorresBoard) -> StageResult:
    after = replace(position, board=observed, stage="play", to_move=position.first)
    fields = _differing(position.board, observed)
    if not position.board.king:
        field = _put(position, observed, KING)
        if field is None:
            return StageResult(broken=SETUP_KING, fields=fields)
        return StageResult(("king", field), after)
    if not fields:
        return StageResult(next=after)
    return _moved_king(position, observed, after, fields)


def _moved_king(
    position: TorresPosition, observed: TorresBoard, after: TorresPosition, fields: tuple[int, ...]
) -> StageResult:
    before = position.board
    source = next(bits(before.king))
    if before.heights == observed.heights and len(fields) == 2 and observed.king.bit_count() == 1:
        target = next(bits(observed.king))
        free = not before.pieces[target] and before.heights[target] > 0
        if free and set(fields) == {source, target} and not observed.pieces[source]:
            return StageResult(("king", target), after)
    return StageResult(broken=KING_MOVE, fields=fields)
