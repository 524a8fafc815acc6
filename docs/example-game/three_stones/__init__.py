"""Three Stones: a tiny game for the referee, complete with kit, declaration, record and words in three languages."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.values.words import add_catalogue

if TYPE_CHECKING:
    from referee.games.package import GamePackage

add_catalogue("three_stones", Path(__file__).with_name("locale"))


def package() -> GamePackage:
    """Return the game and all that belongs to it, for the entry point."""
    from referee.games.package import GamePackage
    from three_stones.game import GAME
    from three_stones.record import RECORDS

    return GamePackage(GAME, RECORDS, playthrough=Path(__file__).with_name("playthrough.txt"))
