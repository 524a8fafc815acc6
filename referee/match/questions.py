"""Questions that players answer before a turn is called illegal. Pure: made from the record and the game."""

from __future__ import annotations

from dataclasses import replace

from referee.games.answers import Question
from referee.games.contract import AsksBefore
from referee.match.events import AnyGame
from referee.match.phases import Phase
from referee.match.state import Entry, TableState


def asked_first(state: TableState, game: AnyGame) -> Question | None:
    """Return the question on the turn that waits; ``None`` once the players said no.

    The replies keep what was filled in since the ruling.
    """
    turn = state.open_turn
    if turn is None or state.phase is not Phase.VIOLATION:
        return None
    return question_of(replace(turn, declared=state.turn.declared), game)


def question_of(entry: Entry, game: AnyGame) -> Question | None:
    """Return the question that is asked before an entry of the record is called illegal."""
    ruling = entry.ruled.ruling if entry.ruled is not None else None
    if ruling is None or ruling.legal or entry.denied or not isinstance(game, AsksBefore):
        return None
    return game.question(entry.before, ruling, entry.declared)
