"""Where somebody with a camera in a hand is sent: what is said, and when."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from calibration.table import load_table
from referee.cli import main
from referee.daemon.preview import eyes_of
from referee.demo.recording import BUNDLED
from referee.games import game_named
from referee.kinds.grid import pointing
from referee.kinds.grid.pointing import Measured, told
from referee.match.events import CameraNote
from referee.session.readers import reader_at
from referee.values.board import Field
from tests.scene import table
from vision.nextview import NextView, place_at, side_of

E7, F6, G7 = Field.from_name("E7"), Field.from_name("F6"), Field.from_name("G7")
GAME = json.loads((BUNDLED / "game.json").read_text(encoding="utf-8"))


def view(azimuth_deg: int, elevation_deg: int = 50, *hidden: Field) -> NextView:
    return NextView(azimuth_deg, elevation_deg, (E7, G7), tuple((place, F6) for place in hidden), 1.0)


@pytest.mark.parametrize(
    ("wanted", "says"),
    [
        (view(90, 50, E7), "Come round to the right: the tower on F6 hides E7."),
        (view(285, 50, E7, G7), "Come round to the left: the tower on F6 hides E7 and G7."),
        (view(45), "Come a little to the right: from there one sees E7 and G7."),
        (view(315), "Come a little to the left: from there one sees E7 and G7."),
        (view(180, 65), "Go to the opposite side and hold the phone higher: from there one sees E7 and G7."),
        (view(195, 35), "Go to the opposite side and hold the phone lower: from there one sees E7 and G7."),
        (view(15, 65, E7), "Hold the phone higher: the tower on F6 hides E7."),
        (view(0, 35), "Hold the phone lower: from there one sees E7 and G7."),
        (
            replace(view(30, 80), towards=E7, distance_mm=450),
            "Hold the phone over E7, 45 cm away, and look down into it.",
        ),
    ],
)
def test_it_is_told_where_to_go_from_the_last_view_and_why(wanted: NextView, says: str) -> None:
    assert told(wanted, (0.0, 50.0), table()).text("en") == says
    # All around the board the same words send the same way.
    turned = replace(wanted, azimuth_deg=(wanted.azimuth_deg + 120) % 360)
    assert told(turned, (120.0, 50.0), table()).text("en") == says


@pytest.mark.parametrize(
    ("azimuth", "side"),
    [(0, "side of row 1"), (45, "corner at F1"), (90, "side of column F"), (135, "corner at F6"),
     (180, "side of row 6"), (225, "corner at A6"), (270, "side of column A"),
     (315, "corner at A1"), (345, "side of row 1")],
)  # fmt: skip
def test_who_has_shown_nothing_yet_is_told_a_side(azimuth: int, side: str) -> None:
    assert told(view(azimuth, 50, E7), None, table()).text("en") == (
        f"Show the board from the {side}: from there one sees E7 and G7."
    )


def test_the_hint_is_translated() -> None:
    words = told(view(90, 50, E7), (0.0, 50.0), table())
    assert words.text("de") == "Komm rechts herum: der Turm auf F6 verdeckt E7."
    assert words.text("fr") == "Contourne par la droite\u00a0: la tour en F6 cache E7."


def test_cameras_at_a_live_table_know_its_measures() -> None:
    """Without them no side is wanted, and nobody knows which fields a picture shows."""
    game = game_named(GAME["position"]["game"])
    reader = reader_at(game, load_table(BUNDLED), BUNDLED)
    eyes = eyes_of(game.kit, reader)
    assert isinstance(eyes, Measured)
    assert eyes.table is reader.table


@pytest.mark.long
def test_an_unsure_answer_wants_another_view_of_a_camera_in_a_hand(tmp_path: Path) -> None:
    """One picture of the recording's first turn leaves it unsure."""
    shutil.copytree(BUNDLED, tmp_path / "table")
    measures = json.loads((BUNDLED / "table.json").read_text(encoding="utf-8"))
    picture = str(BUNDLED / GAME["looks"][2]["pictures"]["cam0"])
    request = json.dumps({"id": 1, "images": {"cam0": picture}, "position": GAME["position"]})

    def answer(**more: object) -> dict[str, Any]:
        (tmp_path / "table" / "table.json").write_text(json.dumps(measures | more), encoding="utf-8")
        result = CliRunner().invoke(main, ["audit", "--table", str(tmp_path / "table")], input=request)
        found: dict[str, Any] = json.loads(result.stdout)
        return found

    fixed, held = answer(), answer(held=["cam0"])
    assert (fixed["ruling"], held["ruling"]) == ("unsure", "unsure")
    assert "show" not in fixed
    show = held["show"]
    assert set(show["fields"]) <= set(held["doubts"])
    assert show["message"].endswith(".")
    assert side_of(place_at(show["azimuth_deg"], show["elevation_deg"], 1.0)) == pytest.approx(
        (show["azimuth_deg"], show["elevation_deg"])
    )


@pytest.mark.parametrize(("azimuths", "sides"), [((0, 5, 355), 1), ((0, 20), 2), ((0, 5, 20, 22), 2)])
def test_pictures_from_one_side_are_one(azimuths: tuple[int, ...], sides: int) -> None:
    places = [place_at(azimuth, 45, 500.0) for azimuth in azimuths]
    notes = [CameraNote("phone", 8, 0.2, place_mm=tuple(map(float, place))) for place in places]
    assert len(pointing._sides(notes)) == sides
