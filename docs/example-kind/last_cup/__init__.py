"""Last Cup: a tiny game with a row of cups. One to three are turned mouth down; who turns the last one wins."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.values.words import add_catalogue

if TYPE_CHECKING:
    from referee.games.package import GamePackage

add_catalogue("last_cup", Path(__file__).with_name("locale"))


def package() -> GamePackage:
    """Return the game and all that belongs to it, for the entry point."""
    from cups.presets import RowPreset

    from last_cup.game import GAME
    from last_cup.record import RECORDS, laid
    from referee.games.package import GamePackage

    return GamePackage(
        GAME,
        RECORDS,
        presets=(RowPreset("clay", "clay cups of 6 cm", cup_mm=(60.0, 80.0), pitch_mm=75.0),),
        playthrough=Path(__file__).with_name("playthrough.txt"),
        laid=laid,
    )
