"""Give the turns of a game of Turris, drawn once."""

from __future__ import annotations

import random

from referee.games.turris.position import TurrisPosition
from referee.games.turris.tower import Tower
from tests.games.turris.play import game as random_game

TURNS: list[tuple[TurrisPosition, Tower]] = list(random_game(random.Random(3), {}))
"""A game of 35 turns, with bonus bars and bars taken off."""
