"""Boards written field by field, and turns on them, for tables of cases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.games.contract import Ruling
from referee.games.torres.engine import GAME
from tests.games.torres.fields import FIELDS, write

CASTLES = {
    "A1": "1",
    "A2": "1",
    "B1": "1",
    "D4": "1",
    "D5": "1",
    "E4": "2",
    "H8": "1",
    "H1": "1",
    "F8": "1",
    "A8": "1",
}
"""Seven castles: three of several fields."""
BEFORE = CASTLES | {"A1": "1b", "D4": "1o", "H8": "1k"}
"""Blue, who is to move, in the corner; Orange in the middle; the king far away."""


def text_of(fields: Mapping[str, str]) -> str:
    """Return board text from cells such as ``2r`` by field; the others are empty ground."""
    heights = {field: int(fields.get(field, "0")[0]) for field in FIELDS}
    return write(heights, {field: cell[1] for field, cell in fields.items() if len(cell) > 1})


def position_data(board: Mapping[str, str] = BEFORE, **keys: Any) -> dict[str, Any]:
    """Return a position's JSON form: two players, blue to move in the first turn."""
    players = keys.get("players", ["blue", "orange"])
    hands = {player: {"held": 0, "played": []} for player in players}
    return {
        "game": "torres",
        "edition": "fr-1999",
        "players": players,
        "first": players[0],
        "to_move": players[0],
        "board": text_of(board),
        "cards": hands,
    } | keys


def check(
    change: Mapping[str, str] | None = None,
    before: Mapping[str, str] = BEFORE,
    declared: Mapping[str, object] | None = None,
    held: int = 0,
    **keys: Any,
) -> Ruling:
    """Rule on a turn that changes some cells of a board. held: Blue's cards."""
    cards = keys.pop("cards", {"blue": {"held": held, "played": []}})
    position = GAME.position(position_data(before, cards=cards, **keys))
    after = {**before, **(change or {})}
    return GAME.check(position, GAME.observation(text_of(after)), (), declared or {})


def sets_of(ruling: Ruling) -> list[list[str]]:
    """Return the smallest sets, the preferred one first; empty for a legal turn."""
    if ruling.legal:
        return []
    return [
        [str(violation.rule) for violation in ruling.violations],
        *(list(map(str, s)) for s in ruling.alternatives),
    ]


def finish_phase(phase: int, board: Mapping[str, str], **keys: Any) -> dict[str, Any]:
    """Return the position before the last turn of a phase for two: Orange's, who has one stack of three left."""
    return position_data(
        board,
        **{
            "phase": phase,
            "round": 4,
            "first": "blue",
            "to_move": "orange",
            "turn": 8 * phase,
            "stacks": {"blue": [], "orange": [3]},
        }
        | keys,
    )
