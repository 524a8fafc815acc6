"""Settles a turn that was left unsure, where there is nobody to ask."""

from __future__ import annotations

from dataclasses import replace

from referee.match.phases import Phase
from referee.match.state import EntryStatus, TableState


def left_open(state: TableState) -> TableState:
    """Return the state in which players went on although a turn was left unsure: all it may have led to may stand.

    Only an audit of pictures without players goes on so; at a table the players say what was done. Raises ValueError
    where no turn was left unsure.
    """
    turn = state.open_turn
    if state.phase is not Phase.UNSURE or turn is None or turn.ruled is None:
        raise ValueError("no turn was left unsure")
    track = turn.ruled.track or ((state.position, 0.0),)
    closed = replace(turn, fate=EntryStatus.REPLACED)
    return replace(
        state,
        phase=Phase.PLAYING,
        position=next((one for one, _ in track if not one.finished), track[0][0]),
        history=tuple(closed if entry.id == turn.id else entry for entry in state.history),
        track=track,
        tracked=0,
        declared={},
        confirmed=False,
        known={},
    )
