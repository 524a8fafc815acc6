"""Plays seats that nobody has taken, turn by turn or for whole games, with a game's own player. Pure."""

from __future__ import annotations

from referee.games.answers import Strength
from referee.opponents.opponent import Opponent, OpponentError, OpponentTurn
from referee.opponents.wholegame import PlayedGameRecord, new_position, play_game

__all__ = [
    "Opponent",
    "OpponentError",
    "OpponentTurn",
    "PlayedGameRecord",
    "Strength",
    "new_position",
    "play_game",
]
