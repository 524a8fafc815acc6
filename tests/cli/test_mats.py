"""``referee read`` and ``referee audit`` where a ledger is kept: on a mat under cameras, and without any camera."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from tests.games.terrabilis.positions import COPY, position
from tests.vision.ledger.laid import laid, with_star
from vision.ledger.reader import MatReader

OAK = Path(__file__).parent.parent / "data" / "mats" / "oak"
TURN = "roll 1+1; draw social; install coal"
"""From eight spaces on: onto a development space."""
START = position({"red": {"pawn": 8}})
WHOLE = START | {"copy": COPY}


def answered(command: str, table: Path, *lines: object) -> tuple[int, list[Any], str]:
    text = "".join(json.dumps(line) + "\n" for line in lines)
    result = CliRunner().invoke(main, [command, "--table", str(table)], input=text)
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()], result.stderr


def shown(name: str = "003.jpg") -> dict[str, object]:
    return {"images": {"cam0": str(OAK / name)}}


@pytest.fixture(scope="module")
def without_cameras(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables") / "kitchen"
    made = CliRunner().invoke(main, ["new", str(folder), "--game", "terrabilis", "--preset", "no-cameras"])
    assert made.exit_code == 0, made.output
    return folder


@pytest.fixture(scope="module")
def uncalibrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tables") / "mat"
    made = CliRunner().invoke(main, ["new", str(folder), "--game", "terrabilis", "--preset", "mat"])
    assert made.exit_code == 0, made.output
    return folder


def test_a_turn_is_compared_with_what_lies_on_the_mat() -> None:
    status, (answer,), _ = answered("audit", OAK, shown("002.jpg") | {"position": WHOLE, "declared": {"acts": TURN}})
    assert status == 1
    assert (answer["ruling"], answer["legal"], answer["next"]) == ("unsure", None, None)
    assert answer["observed"] == "zone 3g3y | red i5 | blue i5"
    assert answer["questions"][0].startswith("In the Zone there are 3 green and 3 yellow counters")
    assert answer["reason"] == answer["questions"][0]


def test_a_turn_that_goes_on_says_what_is_lacking() -> None:
    lines = [{"declared": {"acts": "roll 1+1"}}, {}]
    _, answers, _ = answered("audit", OAK, *(shown() | {"position": WHOLE} | line for line in lines))
    assert [answer["ruling"] for answer in answers] == ["unsure", "unsure"]
    assert answers[0]["lacking"][0].startswith("Red landed on a development space")
    assert answers[1]["reason"] == "The turn has no roll yet: declare the dice."


def test_without_pictures_a_turn_is_ruled_on_by_what_is_declared(without_cameras: Path, uncalibrated: Path) -> None:
    lines = [
        {"id": 1, "position": WHOLE, "declared": {"acts": TURN + "; join"}},
        {"id": 2, "declared": {"acts": TURN}},
        {"id": 3, "declared": {"acts": "roll 1+2; join"}},
    ]
    for table in (without_cameras, uncalibrated, OAK):
        status, (illegal, legal, after), _ = answered("audit", table, *lines)
        assert status == 1
        assert [answer["ruling"] for answer in (illegal, legal, after)] == ["illegal", "legal", "legal"]
        assert [violation["rule"] for violation in illegal["violations"]] == ["alliance.join"]
        assert (legal["observed"], legal["next"]["to_move"], after["next"]["turn"]) == ("nothing", "blue", 3)


def test_acts_and_copy_are_taken_as_check_takes_them(without_cameras: Path) -> None:
    acts = [{"roll": [1, 1]}, {"draw": "social"}, {"install": "coal"}]
    one = {"position": START | {"copy": "tiny"}, "copy": COPY, "declared": acts}
    status, (answer, error), _ = answered(
        "audit", without_cameras, one, one | {"position": START | {"copy": "another"}}
    )
    assert (answer["ruling"], answer["turn"]["acts"]) == ("legal", acts)
    assert (status, error["error"]["code"]) == (2, "copy")


@pytest.mark.parametrize(
    ("more", "code", "says"),
    [
        ({"declared": {"acts": "fly"}}, "declared", "'fly' is no act"),
        ({"declared": {"acts": [1]}}, "declared", "act 0 is an object"),
        ({"declared": {"card": "x"}}, "declared", "card"),
        ({"declared": "roll 1+1"}, "declared", "must be an object"),
        ({"images": {"cam0": "x.jpg"}}, "images", "leave them out and send declared"),
        ({"frames": [{"cam0": "x.jpg"}]}, "images", "leave them out and send declared"),
        ({"known": {"A1": "1"}}, "known", "send it under declared"),
    ],
)
def test_what_cannot_be_ruled_on_says_what_to_send(
    without_cameras: Path, more: dict[str, object], code: str, says: str
) -> None:
    status, (answer,), _ = answered("audit", without_cameras, {"id": 1, "position": WHOLE} | more)
    assert (status, answer["error"]["code"]) == (2, code)
    assert says in answer["error"]["message"]


def test_where_no_camera_looks_nothing_can_be_read(without_cameras: Path) -> None:
    status, answers, said = answered("read", without_cameras, {"id": 1, "images": {"cam0": "x.jpg"}})
    assert (status, answers) == (2, [])
    assert "no camera looks" in said
    assert "referee audit --table" in said


def test_a_mat_whose_camera_has_no_lens_says_how_to_make_one(uncalibrated: Path) -> None:
    for command, more in (("read", {}), ("audit", {"position": WHOLE})):
        status, (answer,), _ = answered(command, uncalibrated, shown() | more)
        assert (status, answer["error"]["code"]) == (2, "calibration")
        assert "referee calibrate lenses --table" in answer["error"]["message"]


def test_dice_count_once_an_earlier_picture_shows_that_they_were_thrown() -> None:
    request = shown("004.jpg") | {"position": WHOLE}
    for before, told in (([], False), ([shown("002.jpg")["images"]], True)):
        _, (answer,), _ = answered("audit", OAK, request | {"frames": before})
        assert answer["observed"].startswith("dice") is told


def test_other_commands_say_that_a_table_has_no_cameras(without_cameras: Path) -> None:
    result = CliRunner().invoke(main, ["calibrate", "lenses", "--table", str(without_cameras)])
    assert result.exit_code == 2
    assert "this table has no cameras" in result.stderr
    assert "is missing" not in result.stderr


def test_a_symbol_is_shown_on_the_command_line_and_forgotten(tmp_path: Path, without_cameras: Path) -> None:
    folder, picture, at = tmp_path / "oak", tmp_path / "shown.png", (110.0, -45.0)
    shutil.copytree(OAK, folder, ignore=shutil.ignore_patterns("0*.jpg"))
    reader = MatReader.open(folder)
    (view,), _ = reader.views({"cam0": np.asarray(cv2.imread(str(OAK / "000.jpg")), np.uint8)})
    cv2.imwrite(str(picture), laid(view, with_star((40, 40, 160), (235, 235, 235), 5), reader.die_mm, at, 0.4))
    x, y = view.project(np.array([[*at, reader.die_mm]]))[0]

    def ran(*words: str, table: Path = folder) -> tuple[int, str]:
        result = CliRunner().invoke(main, ["calibrate", "symbol", "--table", str(table), "--face", "6", *words])
        return result.exit_code, result.output

    image = ("--image", f"cam0={picture}")
    assert ran(*image, "--at", f"{x:.1f}", f"{y:.1f}") == (0, "kept as the 6: 1 picture of this face\n")
    assert (folder / "symbol-6.png").exists()
    assert ran("--forget") == (0, "the symbol of 6 is forgotten\n")
    assert not (folder / "symbol-6.png").exists()
    for words, told in ((image, "give --image"), ((*image, "--at", "400", "300"), "Nothing stands out")):
        status, output = ran(*words)
        assert status == 2
        assert told in output
    assert ran("--forget", table=without_cameras)[0] == 2
