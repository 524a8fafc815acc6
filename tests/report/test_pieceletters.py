"""Letters on pieces in reports: those of the names in the report's language, the same as on the table's page."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from referee.games import package_named
from referee.report.blocks import translator
from referee.report.pieceletters import cut_short, field_shown, piece_letters
from referee.values.words import LANGUAGES

GRIDS = ("terra-turrium", "torres")
LABELS = Path(__file__).parents[2] / "web" / "static" / "labels.js"


@pytest.mark.parametrize(
    ("language", "letters"),
    [
        ("en", {"r": "R", "y": "Y", "g": "G", "b": "B"}),
        ("de", {"r": "R", "y": "Ge", "g": "Gr", "b": "B"}),
        ("fr", {"r": "R", "y": "J", "g": "V", "b": "B"}),
    ],
)
def test_flags_have_the_letters_of_their_names(language: str, letters: dict[str, str]) -> None:
    kit = package_named("terra-turrium").game.kit
    assert piece_letters(kit, translator(language)) == letters


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [*GRIDS, "turris"])
def test_no_two_pieces_share_their_letters_and_all_fit_on_one(name: str, language: str) -> None:
    kit = package_named(name).game.kit
    shown = piece_letters(kit, translator(language))
    assert len(set(shown.values())) == len(kit.pieces)
    assert max(map(len, shown.values())) <= 2


@pytest.mark.skipif(shutil.which("node") is None, reason="no node here")
@pytest.mark.process
@pytest.mark.parametrize("language", LANGUAGES)
def test_they_are_those_of_the_page(language: str) -> None:
    names = [
        {piece.letter: piece.name.text(language) for piece in package_named(game).game.kit.pieces} for game in GRIDS
    ]
    told = f"console.log(JSON.stringify({json.dumps(names)}.map(labels)))"
    script = f'import {{ labels }} from "{LABELS.as_uri()}"; {told}'
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script], capture_output=True, check=True, text=True, timeout=60
    )
    assert json.loads(done.stdout) == [cut_short(one) for one in names]


@pytest.mark.parametrize(("text", "shown"), [("2g", "2V"), ("0", "0"), ("3?", "3?"), ("??", "??"), ("12r", "12R")])
def test_what_stands_on_a_field_is_shown_with_them(text: str, shown: str) -> None:
    assert field_shown(text, package_named("terra-turrium").game.kit, translator("fr")) == shown


def test_a_towers_cell_is_its_sign() -> None:
    assert field_shown("N", package_named("turris").game.kit, translator("fr")) == "N"
