"""Limits what a player's own device may say: that player's acts, and when that player's turn ends."""

from __future__ import annotations

from collections.abc import Mapping

from referee.games.contract import OwnActs, RequestError
from referee.match.arguments import Command, CommandError
from referee.match.events import AnyGame
from referee.match.state import TableState
from referee.values.words import say

OWN_ONLY = say("This is one player’s own device: use a tablet of the table for this.")
_ENDS = ("turn_ended", "not_ended", "turn_over")
_ALLOWED = ("declare", "enter", "draft", *_ENDS)


def require_own(command: Command, state: TableState, game: AnyGame) -> None:
    """Raise CommandError for a command that is not the sender's player's own."""
    if command.name not in _ALLOWED:
        raise CommandError("own", OWN_ONLY)
    said, mover = _said(command, state), state.position.to_move.word
    declares = _declarers(said, state, game) if isinstance(said, Mapping) else frozenset()
    ends = command.name in _ENDS and mover != command.player
    if ends or declares is None or not declares <= {command.player}:
        raise CommandError("own", say("This device declares for {who} only.", who=game.player(command.player)))


def _said(command: Command, state: TableState) -> object:
    """Return the turn's declaration as it would be after a command; ``None`` where the command declares nothing."""
    field = command.arguments.get("field")
    if command.name == "enter" and isinstance(field, str):
        return {**state.turn.declared, field: command.arguments.get("value")}
    return command.arguments.get("declared")


def _declarers(said: Mapping[str, object], state: TableState, game: AnyGame) -> frozenset[str] | None:
    """Return the players whose acts a declaration adds.

    Without a word of the game these are the acts of the player to move. Raises CommandError for a wrong declaration.
    """
    if not isinstance(game, OwnActs):
        return frozenset({state.position.to_move.word})
    try:
        found = game.declarers(state.position, state.turn.declared, said)
    except RequestError as error:
        raise CommandError(error.code, error.words) from None
    return None if found is None else frozenset(player.word for player in found)
