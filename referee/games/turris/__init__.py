"""Play Turris: a tower of light and dark bars on a board that players turn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.values.words import add_catalogue

if TYPE_CHECKING:
    from referee.games.package import GamePackage

add_catalogue("turris", Path(__file__).with_name("locale"))


def package() -> GamePackage:
    """Return the game with its records and presets."""
    from referee.games.package import GamePackage
    from referee.games.turris.engine import GAME
    from referee.games.turris.laying import laid
    from referee.games.turris.playing import PLAYS
    from referee.games.turris.presets import PRESETS
    from referee.games.turris.record import RECORDS

    here = Path(__file__).parent
    recording = here / "recording"
    return GamePackage(GAME, RECORDS, PRESETS, here / "playthrough.txt", recording=recording, laid=laid, plays=PLAYS)
