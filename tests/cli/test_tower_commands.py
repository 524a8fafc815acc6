"""``referee read`` and ``referee audit`` of a table on which a tower is built, through the command itself."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from tests.vision.tower.scene import TOWER, Looks, draw, pose, write_table

AFTER = TOWER[:-9] + "d..sEWnew"
"""A dark bar laid on b1.4 and c1.4, which touches others and rests on two."""
HANGING = TOWER + "/EW......."
"""A light bar half over a gap: b3.5 has nothing under it."""
QUARTERS = (2, 91, 184, 268)
POSITION: dict[str, object] = {
    "game": "turris",
    "edition": "fr",
    "seats": {"south": "light", "north": "dark"},
    "first": "light",
    "to_move": "dark",
    "turn": 17,
    "tower": TOWER,
    "left": {
        colour: 20 - sum(map(test, TOWER)) // 2 for colour, test in (("light", str.isupper), ("dark", str.islower))
    },
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = write_table(tmp_path_factory.mktemp("towers") / "table")
    for name, tower in (("before", TOWER), ("after", AFTER), ("hanging", HANGING)):
        for number, turned in enumerate(QUARTERS):
            cv2.imwrite(str(place / f"{name}{number}.png"), draw(tower, pose(turned), Looks(), number))
    cv2.imwrite(str(place / "blank.png"), np.zeros((640, 800, 3), np.uint8))
    return place


def views(name: str, sides: tuple[int, ...] = (0, 1, 2, 3)) -> list[dict[str, str]]:
    return [{"cam0": f"{name}{side}.png"} for side in sides]


def run(folder: Path, command: str, *lines: dict[str, object]) -> tuple[int, list[dict[str, Any]]]:
    file = folder / "requests.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    result = CliRunner().invoke(main, [command, "--table", str(folder), str(file)])
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.long
def test_a_tower_is_read_with_its_history(folder: Path) -> None:
    status, (plain, known) = run(
        folder, "read", {"id": 1, "views": views("after")}, {"id": 2, "views": views("after"), "previous": TOWER}
    )
    assert status == 0
    assert plain["id"] == 1
    assert known["tower"] == AFTER
    assert "show" not in plain
    assert plain["confidence"]["a3.4"] > 0.99
    assert len(plain["views"]) == 4
    assert all(set(view) == {"cam0"} for view in plain["views"])


@pytest.mark.long
def test_a_side_that_was_never_shown_is_asked_for(folder: Path) -> None:
    _, (answer,) = run(folder, "read", {"id": 1, "views": views("after", (0, 1, 3))})
    assert answer["show"] == "north"


@pytest.mark.long
@pytest.mark.parametrize(
    ("request_", "code"),
    [
        ({}, "views"),
        ({"views": []}, "views"),
        ({"views": [{}]}, "images"),
        ({"views": [{"cam0": "before0.png"}] * 25}, "views"),
        ({"views": [{"cam0": "blank.png"}]}, "frame-not-seen"),
        ({"views": [{"cam0": "before0.png"}], "previous": 4}, "tower"),
        ({"views": [{"cam0": "before0.png"}], "previous": "ew"}, "tower"),
    ],
)
def test_what_cannot_be_read_is_told(folder: Path, request_: dict[str, object], code: str) -> None:
    status, (answer,) = run(folder, "read", {"id": 1} | request_)
    assert status == 2
    assert answer["error"]["code"] == code


@pytest.mark.long
def test_a_chain_of_turns_is_ruled_on(folder: Path) -> None:
    """A bar laid, then nothing laid: legal, then illegal, with the position that the first ruling led to."""
    status, (first, second) = run(
        folder, "audit", {"id": 1, "views": views("after"), "position": POSITION}, {"id": 2, "views": views("after")}
    )
    assert status == 1
    assert (first["ruling"], first["observed"]) == ("legal", AFTER)
    assert first["turn"]["acts"] == [{"lay": "b1c1.4"}]
    assert second["ruling"] == "illegal"
    assert [violation["rule"] for violation in second["violations"]] == ["turn.pass"]


@pytest.mark.long
def test_pictures_by_a_phone_that_goes_around_are_ruled_on_as_those_of_a_turned_board(folder: Path) -> None:
    table = folder / "table.json"
    fixed = table.read_text()
    table.write_text(json.dumps(json.loads(fixed) | {"held": ["cam0"]}))
    try:
        _, (first, second) = run(
            folder,
            "audit",
            {"id": 1, "views": views("after", (0,)), "position": POSITION},
            {"id": 2, "more": views("after", (1, 2))},
        )
    finally:
        table.write_text(fixed)
    assert first["ruling"] == "unsure"
    assert first["show"]["azimuth_deg"] in (135, 225), "from a corner two sides are seen that no picture shows"
    assert (second["ruling"], second["observed"]) == ("legal", AFTER)
    assert second["turn"]["acts"] == [{"lay": "b1c1.4"}]


@pytest.mark.long
def test_a_bar_that_hangs_is_named(folder: Path) -> None:
    position = POSITION | {"to_move": "light"}
    _, (answer,) = run(folder, "audit", {"id": 1, "views": views("hanging"), "position": position})
    assert answer["ruling"] == "illegal"
    assert [violation["rule"] for violation in answer["violations"]] == ["rest.full"]


@pytest.mark.long
def test_what_somebody_says_is_ruled_on_with_the_last_pictures(folder: Path) -> None:
    _, (refused, first, again) = run(
        folder,
        "audit",
        {"id": 0, "known": {"b1.4": "e"}},
        {"id": 1, "views": views("after", (1, 2, 3)), "position": POSITION},
        {"id": 2, "known": {"b1.4": "e", "c1.4": "w"}},
    )
    assert refused["error"]["code"] == "known"
    assert first["ruling"] != "illegal"
    assert again["ruling"] == "legal"


@pytest.mark.long
@pytest.mark.parametrize("known", [4, {"z9": "x"}, {"a1.1": "?"}, {"a1.1": "ew"}, {"": "x"}])
def test_what_somebody_says_must_name_cells(folder: Path, known: object) -> None:
    request = {"id": 1, "views": views("before"), "position": POSITION, "known": known}
    status, (answer,) = run(folder, "audit", request)
    assert status == 2
    assert answer["error"]["code"] == "known"


def test_the_first_request_needs_a_position(folder: Path) -> None:
    _, (answer,) = run(folder, "audit", {"id": 1, "views": views("before")})
    assert answer["error"]["code"] == "position"
