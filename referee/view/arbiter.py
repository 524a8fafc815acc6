"""What an arbiter ordered from a desk, as sentences for those at the table."""

from __future__ import annotations

from collections.abc import Mapping

from referee.match.clocksteps import TIME_PENALTY
from referee.match.state import Ordered, TableState
from referee.values.words import Words, say, say_n
from referee.view.banner import ViewState

SHOWN_RULINGS = 1
"""An order is shown beside the game until more rulings than these have followed; the record keeps it."""

_ACTS: Mapping[str, Words] = {
    "uphold": say("The ruling stands"),
    "set_aside": say("The turn is set aside: put the board back"),
    "say_board": say("The board was entered by hand"),
    "change_position": say("The position is changed"),
    TIME_PENALTY: say("Time penalty"),
    "pause": say("The game is paused"),
    "resume": say("The game goes on"),
    "note": say("Note in the record"),
}


def arbiter_view(state: TableState, names: Mapping[str, str], language: str) -> list[ViewState]:
    """Return what arbiters ordered in this game, the oldest first. names: of the players, by colour."""
    rulings = state.rulings
    return [
        {
            "by": told.by,
            "act": told.act,
            "words": _words(told, names).text(language),
            "why": told.words,
            "entry": told.entry,
            "turn": told.turn,
            "recent": rulings - told.rulings <= SHOWN_RULINGS,
        }
        for told in state.orders.told
    ]


def _words(told: Ordered, names: Mapping[str, str]) -> Words:
    if not told.taken_ms:
        return _ACTS.get(told.act, say("The arbiter has ruled"))
    return say_n(
        "Time penalty: {who} loses {n} second",
        "Time penalty: {who} loses {n} seconds",
        round(told.taken_ms / 1000),
        who=names.get(told.player, told.player),
    )
