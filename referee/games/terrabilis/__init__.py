"""Play Terrabilis on a ledger: book what was declared, rule on it, and compare it with what cameras see."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from referee.values.words import add_catalogue

if TYPE_CHECKING:
    from referee.games.package import GamePackage

add_catalogue("terrabilis", Path(__file__).with_name("locale"))


def package() -> GamePackage:
    """Return the game with its records, its playthrough and its own form of requests."""
    from referee.games.package import GamePackage
    from referee.games.terrabilis.answer import answer
    from referee.games.terrabilis.engine import GAME
    from referee.games.terrabilis.laying import laid
    from referee.games.terrabilis.playing import PLAYS
    from referee.games.terrabilis.presets import PRESETS
    from referee.games.terrabilis.record import RECORDS

    moves = Path(__file__).with_name("playthrough.txt")
    return GamePackage(GAME, RECORDS, PRESETS, moves, answer, laid=laid, plays=PLAYS)
