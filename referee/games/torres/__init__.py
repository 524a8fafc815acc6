"""Torres: the engine in rooms (search, position, outcome, text), what is played with, its words in every language."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.values.words import add_catalogue

if TYPE_CHECKING:
    from referee.games.package import GamePackage

add_catalogue("torres", Path(__file__).with_name("locale"))


def package() -> GamePackage:
    """Return the game with its records and presets."""
    from referee.games.package import GamePackage
    from referee.games.torres.engine import GAME
    from referee.games.torres.laying import laid
    from referee.games.torres.playing.player import PLAYS
    from referee.games.torres.presets import PRESETS
    from referee.games.torres.record import RECORDS

    here = Path(__file__).parent
    recording = here / "recording"
    moves = here / "playthrough.txt"
    wood = "wood-25"  # read best
    return GamePackage(GAME, RECORDS, PRESETS, moves, recording=recording, laid=laid, plays=PLAYS, virtual=wood)
