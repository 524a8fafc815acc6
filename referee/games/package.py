"""A game with all that belongs to it, as its entry point gives it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from referee.games.contract import Game
from referee.games.presets import TablePreset
from referee.games.record import RecordRules


@dataclass(frozen=True, slots=True)
class GamePackage:
    """game: the rules engine. records: what its records mean. presets: tables to start measuring from.

    playthrough: a record of a short game with legal turns, which every version of the game must play again.
    """

    game: Game[Any]
    records: RecordRules
    presets: tuple[TablePreset, ...] = ()
    playthrough: Path | None = None
