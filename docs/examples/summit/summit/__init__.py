"""Summit for the table referee."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.values.words import add_catalogue

if TYPE_CHECKING:
    from referee.games.package import GamePackage

HERE = Path(__file__).parent
add_catalogue("summit", HERE / "locale")


def package() -> GamePackage:
    """Return the game and all that belongs to it, for the entry point."""
    from referee.games.package import GamePackage

    from .game import GAME
    from .laying import laid
    from .playing import PLAYS
    from .presets import PRESETS
    from .record import RECORDS

    return GamePackage(
        GAME,
        RECORDS,
        PRESETS,
        playthrough=HERE / "playthrough.txt",
        breaches=HERE / "breaches.txt",
        laid=laid,
        plays=PLAYS,
    )
