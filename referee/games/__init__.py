"""The games the referee knows, by the name formats use."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

from referee.games.contract import Game, RequestError
from referee.games.presets import TablePreset
from referee.games.record import RecordRules

_MODULES = {"terra-turrium": "referee.games.terra_turrium"}

NAMES = tuple(_MODULES)
"""The names of all games."""


def game_named(name: object) -> Game[Any]:
    """Return the engine of a game. Raises RequestError when no game has this name."""
    game: Game[Any] = _part(name, "engine").GAME
    return game


def records_named(name: object) -> RecordRules:
    """Return what a game says of its records. Raises RequestError when no game has this name."""
    records: RecordRules = _part(name, "record").RECORDS
    return records


def presets_named(name: object) -> tuple[TablePreset, ...]:
    """Return the tables of a game to start measuring from. Raises RequestError when no game has this name."""
    presets: tuple[TablePreset, ...] = _part(name, "presets").PRESETS
    return presets


def _part(name: object, part: str) -> ModuleType:
    if not isinstance(name, str) or name not in _MODULES:
        raise RequestError("game", f"{str(name)[:40]!r} is no game the referee knows: use one of {', '.join(NAMES)}")
    return importlib.import_module(f"{_MODULES[name]}.{part}")
