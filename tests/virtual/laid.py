"""Virtual tables for tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from calibration.table import TableSetup
from referee.games import game_named
from referee.values.kit import Kit
from referee.virtual.folder import make_table

BOARDS = {
    "terra-turrium": "1b11111r11r11/11b11b111111/1b11111r1r111/1112b222r111/1b112222111r/1112y222111g/1112y22g2111/"
    "11y11111g111/111y111g1111/1y1y11111g1g11",
    "torres": "0001k0000/000b0000o0/00100100/00000001/1o0000000/00300b100/00000000/00002o000",
    "turris": "UewewSEWN/DssSnnNEW/uewEWsEWn/d..sEWn..",
}


@cache
def laid(game: str) -> tuple[TableSetup, Kit]:
    """Return a table of a game, and what is played with."""
    with TemporaryDirectory() as folder:
        return make_table(Path(folder) / "table", game), game_named(game).kit
