"""The games the referee knows, by the name formats use."""

from __future__ import annotations

import importlib
from typing import Any

from referee.ruling import Game, RequestError

_MODULES = {"terra-turrium": "referee.games.terra_turrium.engine"}

NAMES = tuple(_MODULES)
"""The names of all games."""


def game_named(name: object) -> Game[Any]:
    """Return the engine of a game. Raises RequestError when no game has this name."""
    if not isinstance(name, str) or name not in _MODULES:
        raise RequestError("game", f"{str(name)[:40]!r} is no game the referee knows: use one of {', '.join(NAMES)}")
    game: Game[Any] = importlib.import_module(_MODULES[name]).GAME
    return game
