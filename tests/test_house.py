"""Nothing outside referee/games knows a game: not the code, the page, its styles, nor the own catalogues."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from referee.games import names

ROOT = Path(__file__).parent.parent
PLACES = ("referee", "vision", "calibration", "web")
KINDS = ("*.py", "*.js", "*.css", "*.html", "*.po")

WORDS = (
    *(re.escape(name).replace(r"\-", "[-_ ]?") for name in names()),
    r"aggressor",
    r"attacks?",
    r"territor",
    r"turrian",
    r"castles?",
    r"in_hand",
    r"\bloans?\b",
    r"knights?",
    r"3 x 3",
    r"\bzone\b",
)
"""What only one game has, as it may stand in any kind of file."""

ALLOWED = {
    ("referee/kinds/grid/requests.py", "aggressor"): "a key of an answer (docs/reference/formats.md)",
    ("referee/match/events/seen.py", "aggressor"): "a key of readings in journals that are there",
    ("referee/match/commands.py", "in_hand"): "an example of a position's keys, in the API's description",
    ("referee/match/commands.py", "attacks?"): "the same example",
    ("calibration/table.py", "knights?"): "a key of table.json (docs/reference/formats.md)",
    ("calibration/tablefile.py", "knights?"): "the same key",
    ("referee/kinds/grid/presets.py", "knights?"): "the same key",
    ("referee/kinds/grid/kitcheck.py", "knights?"): "the same key, and a shape",
    ("referee/values/kit.py", "knights?"): "a shape in which the page draws a piece",
    ("web/static/outlines.js", "knights?"): "the same shape",
    ("vision/ledger/places.py", r"\bzone\b"): "a key of places.json (docs/reference/formats.md)",
    ("referee/kinds/ledger/desk.py", r"\bzone\b"): "the same key",
    ("referee/kinds/ledger/mats.py", r"\bzone\b"): "a key of what lies on a mat (docs/reference/formats.md)",
    ("referee/kinds/ledger/requests.py", r"\bzone\b"): "the same key",
    ("referee/locale/fr/LC_MESSAGES/referee.po", r"\bzone\b"): "a French word for an area",
    ("referee/locale/es/LC_MESSAGES/referee.po", "torres"): "the Spanish word for towers",
    ("web/qr.py", r"\bzone\b"): "the quiet zone around a QR code",
    ("web/static/qr.js", r"\bzone\b"): "the same",
    ("vision/markers/tracks.py", "attacks?"): "what the stones on the tracks count, told to whoever reads the method",
}


@cache
def found() -> set[tuple[str, str]]:
    """Return the files outside games with a word of some game in them."""
    hits = set()
    for place in PLACES:
        for kind in KINDS:
            for path in (ROOT / place).rglob(kind):
                name = path.relative_to(ROOT).as_posix()
                in_game = name.startswith("referee/games/") and name.count("/") > 2
                if in_game or "/vendor/" in name or name.startswith("web/manual/"):
                    continue
                text = path.read_text(encoding="utf-8").lower()
                hits |= {(name, word) for word in WORDS if re.search(word, text)}
    return hits


def test_only_games_know_games() -> None:
    assert found() - set(ALLOWED) == set(), "say it with the kit's words, or give a reason here"


def test_every_exception_is_still_needed() -> None:
    assert set(ALLOWED) <= found()
