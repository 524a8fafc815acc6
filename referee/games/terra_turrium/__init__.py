"""Terra Turrium: the engine in rooms (search, position, text), what is played with, its words in every language."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.values.words import add_catalogue

if TYPE_CHECKING:
    from referee.games.package import GamePackage

add_catalogue("terra_turrium", Path(__file__).with_name("locale"))


def package() -> GamePackage:
    """Return the game with its records and presets."""
    from referee.games.package import GamePackage
    from referee.games.terra_turrium.engine import GAME
    from referee.games.terra_turrium.laying import laid
    from referee.games.terra_turrium.playing.player import PLAYS
    from referee.games.terra_turrium.presets import PRESETS
    from referee.games.terra_turrium.record import RECORDS

    here = Path(__file__).parent
    moves = here / "playthrough.txt"
    wood = "cubes-20"  # read best
    return GamePackage(GAME, RECORDS, PRESETS, moves, laid=laid, plays=PLAYS, virtual=wood)
