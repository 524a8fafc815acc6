"""Seats that nobody has taken: a game's own player asked for turns, whole games played by themselves. Pure."""

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
