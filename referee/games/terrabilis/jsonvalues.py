"""Read the colours of this game from JSON: each check names the key and says what to do."""

from __future__ import annotations

from collections.abc import Sequence

from referee.games.contract import RequestError
from referee.games.jsonvalues import code_of, show
from referee.games.terrabilis.players import Country
from referee.values.board import BoardError

MOST_COUNTERS = 1000
"""No card moves as many counters."""


def a_colour(value: object, key: str) -> Country:
    """Return a colour. Raises RequestError."""
    try:
        return Country.from_word(value)
    except BoardError:
        words = ", ".join(colour.word for colour in Country)
        raise RequestError(code_of(key), f"{key}: {show(value)} is not a colour, use one of {words}") from None


def a_player(value: object, players: Sequence[Country], key: str) -> Country:
    """Return the colour of somebody who plays. Raises RequestError."""
    colour = a_colour(value, key)
    if colour not in players:
        words = ", ".join(player.word for player in players)
        raise RequestError(code_of(key), f"{key}: {colour.word} does not play, use one of {words}")
    return colour
