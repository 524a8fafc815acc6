"""What players can do where cameras tell no more."""

from __future__ import annotations

from referee.match.events import Unsure
from referee.match.live import Live
from referee.match.state import TableState
from referee.values.board import Field
from referee.values.words import Words, say

MOST_NAMED = 4
"""Fields named in a sentence, at most."""


def told_alone(state: TableState, live: Live) -> bool:
    """Return whether the players tell and nobody looks."""
    return not live.cameras and (state.reading is None or not state.reading.cameras)


def way_on(state: TableState, live: Live) -> Words:
    """Return what players can do where the pictures leave the ruling open."""
    turn = state.open_turn
    ruled = turn.ruled if turn is not None else None
    if told_alone(state, live):
        return say("Say that the turn is not over, put right what was told, then end it again.")
    if live.tell is not None:
        return live.tell
    if live.showing is not None:
        how = say("Show it with a phone, from another side.")
        if ruled is not None and ruled.show is not None:
            how = ruled.show.words
        return say("{how} Only if that does not help, say what stands there.", how=how)
    unsure = state.unsure or Unsure()
    if len(unsure.candidates) > 1:
        return say("Touch the board that stands there, or straighten it and let the referee look again.")
    if unsure.ask is not None:
        return say("Say what stands there, or straighten it and let the referee look again.")
    return say("Straighten what stands there, then let the referee look again.")


def look_yourselves(live: Live) -> Words | None:
    """Return what players do where no camera sees what is left to be put back, ``None`` where one sees some of it."""
    left = [task for task in live.tasks if not task.done]
    if not left or not all(task.unseen for task in left):
        return None
    places: tuple[Field, ...] = tuple(task.field for task in left)
    return say(
        "The cameras can’t see {at}: look whether all is as it was there, then say that it is put back.",
        at=places[:MOST_NAMED],
    )
