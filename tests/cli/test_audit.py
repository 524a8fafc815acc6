"""``referee audit`` on the bundled recording: a chain of rulings that errors leave where it was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from referee.cli import main
from referee.demo.recording import BUNDLED
from referee.values.board import Board, Field, differing_fields
from tests.scene import table_json, write_table

GAME = json.loads((BUNDLED / "game.json").read_text(encoding="utf-8"))
START = GAME["position"]
LOOKS = [{camera: str(BUNDLED / name) for camera, name in look["pictures"].items()} for look in GAME["looks"]]
TABLES = Path(__file__).parent.parent / "data" / "tables"

ILLEGAL, LEGAL, NEXT = LOOKS[1:4]
"""The recording's first turn as it was taken back and as it was played, and the turn after it."""


def request(images: object, **more: object) -> dict[str, object]:
    return {"id": more.pop("id", 1), "images": images, **more}


def audit(*lines: object, table: Path = BUNDLED) -> tuple[int, list[dict[str, Any]], str]:
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    result = CliRunner().invoke(main, ["audit", "--table", str(table)], input=text)
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()], result.stderr


@pytest.fixture(scope="module")
def after_first() -> dict[str, Any]:
    """Return the position after the recording's first turn."""
    status, (answer,), _ = audit(request(LEGAL, position=START))
    assert (status, answer["ruling"]) == (0, "legal")
    next_: dict[str, Any] = answer["next"]
    return next_


NO_REQUESTS: list[tuple[object, str, str]] = [
    ("no json", "json", "standard input, line"),
    ("", "json", "the line is empty"),
    ({"images": {}}, "images", "at least one picture"),
    ({"images": {"cam7": "x.jpg"}}, "camera", "use cam0, cam1"),
    ({"images": {"cam0": "none.jpg"}}, "picture", "there is no picture 'none.jpg'"),
    ({"images": LEGAL, "observed": "x"}, "request", "unknown key 'observed'"),
    ({"known": {"G9": "2g"}, "frames": []}, "known", "send it alone"),
    ({"more": {"cam0": ["x.jpg"]}}, "more", "after a request with pictures"),
    ({"images": {"cam0": []}, "position": START}, "images", "must list 1 to 16 pictures"),
    ({"images": LEGAL, "position": START, "frames": {"cam0": "x"}}, "frames", "a list"),
    ({"images": LEGAL, "position": 5}, "position", "object"),
    ({"images": LEGAL, "position": START | {"game": "chess"}}, "game", "chess"),
    ({"images": LEGAL, "position": START | {"bord": ""}}, "key", "'bord'"),
    ({"images": LEGAL, "position": START | {"first": "red"}}, "turn", "disagree"),
    ({"images": LEGAL, "position": START | {"finished": True}}, "finished", "the game is over"),
    ({"images": LEGAL, "position": START | {"board": START["board"].replace("1", "2", 1)}}, "board", "117 cubes"),
    ({"images": LEGAL, "position": START | {"board": START["board"].replace("b", "", 1)}}, "flags", "Blue has 5"),
    ({"images": LEGAL, "position": START | {"seats": START["seats"] | {"nw": "pink"}}}, "seats", "pink"),
    (
        {
            "images": LEGAL,
            "position": {k: v for k, v in START.items() if k not in ("in_hand", "attacks")}
            | {"seats": START["seats"] | {"sw": None}},
        },
        "flags",
        "Green",
    ),
]


@pytest.mark.long
def test_a_chain_of_rulings() -> None:
    bad = [{"id": "bad", **line} if isinstance(line, dict) else line for line, _, _ in NO_REQUESTS]
    status, answers, _ = audit(
        request(ILLEGAL, id="illegal", position=START),
        *bad,
        request(LEGAL, id="legal"),
        "no json",
        request(NEXT, id="next"),
    )
    assert status == 2
    illegal, *errors, legal, error, after = answers
    for answer, (_, code, says) in zip(errors, NO_REQUESTS, strict=True):
        assert answer["error"]["code"] == code
        assert says in answer["error"]["message"]
    assert [e["id"] for e in errors] == ["bad" if isinstance(line, dict) else None for line in bad]
    assert error["error"]["code"] == "json"
    assert [a["id"] for a in (illegal, legal, after)] == ["illegal", "legal", "next"]
    assert [a["ruling"] for a in (illegal, legal, after)] == ["illegal", "legal", "legal"]
    assert [a["legal"] for a in (illegal, legal, after)] == [False, True, True]
    assert illegal["next"] is None
    assert [v["rule"] for v in illegal["violations"]] == ["build.occupied"]
    assert legal["turn"]["player"] == "yellow"
    assert legal["next"]["board"] == legal["observed"]
    assert after["next"]["turn"] == 3
    assert set(legal) == {
        "id", "legal", "violations", "alternatives", "turn", "next", "winners", "finished", "observed", "ruling",
    }  # fmt: skip


@pytest.mark.long
def test_a_ruling_names_the_fields_that_stay_open() -> None:
    """By one camera much stays open that two cameras see."""
    _, (one,), _ = audit(request({"cam1": LEGAL["cam1"]}, position=START))
    _, (both,), _ = audit(request(LEGAL, position=START))
    assert (one["ruling"], both["ruling"], "open" in both) == ("legal", "legal", False)
    seen, true = (Board.parse(answer["observed"], 10, 10, "rygb") for answer in (one, both))
    assert {place.name for place in differing_fields(seen, true)} <= set(one["open"])


def test_the_first_request_needs_a_position() -> None:
    status, (answer,), _ = audit(request(LEGAL))
    assert status == 2
    assert answer["error"]["code"] == "position"
    assert "the one before the first turn" in answer["error"]["message"]


@pytest.mark.long
@pytest.mark.parametrize(("name", "picture"), [("kitchen", "000"), ("club", "001")])
def test_a_hand_over_the_board_makes_it_unsure(name: str, picture: str) -> None:
    folder = TABLES / name
    images = {camera: str(folder / "pictures" / f"{picture}_{camera}.jpg") for camera in ("cam0", "cam1")}
    status, (answer,), _ = audit(request(images, position=START), table=folder)
    assert status == 1
    assert answer["ruling"] == "unsure"
    assert answer["legal"] is None
    assert answer["next"] is None
    assert "stands over the board" in answer["reason"]


@pytest.mark.long
def test_after_a_lost_view_the_chain_is_where_it_was(tmp_path: Path, after_first: dict[str, Any]) -> None:
    cv2.imwrite(str(tmp_path / "dark.png"), np.zeros((960, 1280, 3), np.uint8))
    status, (lost, legal), _ = audit(
        request({"cam0": str(tmp_path / "dark.png")}, position=after_first), request(NEXT)
    )
    assert status == 1
    assert (lost["ruling"], legal["ruling"]) == ("unsure", "legal")
    assert "cam0’s picture is dark" in lost["reason"]
    assert legal["turn"]["player"] == "green"


@pytest.mark.parametrize(
    ("change", "says"), [({"game": "chess"}, "'chess' is no game"), ({"columns": 0}, "columns"), (None, "missing")]
)
def test_a_table_that_cannot_be_used(tmp_path: Path, change: dict[str, object] | None, says: str) -> None:
    folder = write_table(tmp_path / "table")
    (folder / "table.json").unlink()
    if change is not None:
        (folder / "table.json").write_text(json.dumps(table_json() | change))
    status, answers, told = audit(request(LEGAL, position=START), table=folder)
    assert (status, answers) == (2, [])
    assert told.startswith("referee audit: ")
    assert told.count("\n") == 1
    assert "table.json" in told
    assert says in told


def test_a_board_of_another_size_than_the_game_s(tmp_path: Path) -> None:
    status, (answer,), _ = audit(request(LEGAL, position=START), table=write_table(tmp_path / "table"))
    assert status == 2
    assert "6 rows and 6 columns" in answer["error"]["message"]


@pytest.mark.long
def test_what_somebody_says_rules_on_the_last_pictures_again(after_first: dict[str, Any]) -> None:
    """A witness says J10 is higher than the pictures show: the answer takes the place of the one before."""
    told = {"id": 2, "known": {"J10": "4"}}
    wrong = {"id": 2, "known": {"K11": "1"}}
    status, (seen, fault, said, on), _ = audit(request(LEGAL, position=START), wrong, told, request(NEXT))
    assert seen["ruling"] == "legal"
    assert said["ruling"] != "legal"
    assert on["ruling"] != "legal" or on["next"]["turn"] != after_first["turn"] + 1
    assert status == 2
    assert fault["error"]["code"] == "known"


@pytest.mark.long
def test_pictures_added_to_a_look_rule_as_if_they_had_come_with_it(after_first: dict[str, Any]) -> None:
    """A camera given as a list is in a hand: each new picture adds to the look, whose answer it replaces."""
    one, other = ([LEGAL[camera]] for camera in ("cam0", "cam1"))
    walk = {"id": 1, "images": {"cam0": one}, "position": START}, {"id": 2, "more": {"cam1": other}}
    _, (first, more, on), _ = audit(*walk, request(NEXT))
    _, (whole,), _ = audit({"id": 2, "images": {"cam0": one, "cam1": other}, "position": START})
    assert first["ruling"] in ("legal", "unsure")
    assert more == whole
    assert more["next"] == after_first
    assert on["ruling"] == "legal"


@pytest.mark.long
def test_one_picture_from_the_hand_accuses_nobody() -> None:
    """Cameras that stand still see this breach; a phone shows it from a second side before anybody is told of it."""
    status, (fixed,), _ = audit(request(ILLEGAL, position=START))
    assert (status, fixed["ruling"]) == (1, "illegal")
    _, (alone, both), _ = audit(
        request({"cam0": [ILLEGAL["cam0"]]}, position=START), {"id": 2, "more": {"cam1": [ILLEGAL["cam1"]]}}
    )
    assert alone["ruling"] == "unsure"
    assert alone["legal"] is None
    assert both["violations"] == fixed["violations"]


@pytest.mark.long
def test_boards_seen_during_a_turn_may_be_given(after_first: dict[str, Any]) -> None:
    _, (answer,), _ = audit(request(LEGAL, position=START, frames=[LEGAL]))
    assert answer["ruling"] == "legal"
    assert answer["next"] == after_first


@pytest.mark.long
def test_a_look_that_was_not_read_leaves_a_question_until_all_is_told(tmp_path: Path) -> None:
    covered = {}
    for camera, path in LEGAL.items():
        picture = cv2.imread(path)
        assert picture is not None
        height_px, width_px = picture.shape[:2]
        tip, cuff = (width_px // 2, height_px // 2), (width_px, height_px // 2 + 60)
        cv2.line(picture, tip, cuff, (120, 150, 205), thickness=50)
        covered[camera] = str(tmp_path / f"{camera}.png")
        cv2.imwrite(covered[camera], picture)
    _, (bare, hidden), _ = audit(request(LEGAL, position=START), request(covered, position=START))
    assert (hidden["ruling"], hidden["ask"]["field"]) == ("unsure", hidden["doubts"][0])
    stands = Board.parse(bare["observed"], 10, 10, "rygb")
    said = {name: stands.stands(Field.from_name(name)) for name in hidden["doubts"]}
    first, rest = {hidden["doubts"][0]: said.pop(hidden["doubts"][0])}, said
    _, (*_, asks, told), _ = audit(request(covered, position=START), {"known": first}, {"known": rest})
    assert (asks["ruling"], asks["ask"]["field"]) == ("unsure", next(iter(rest)))
    assert (told["ruling"], told["next"]) == (bare["ruling"], bare["next"])
    _, (_, breach), _ = audit(request(covered, position=START), request(ILLEGAL))
    assert (breach["ruling"], breach["ask"]["field"]) == ("unsure", breach["doubts"][0])
    shown = Board.parse(breach["observed"], 10, 10, "rygb")
    said = {name: shown.stands(Field.from_name(name)) for name in breach["doubts"]}
    _, (*_, asked), _ = audit(request(covered, position=START), request(ILLEGAL), {"known": said})
    assert asked["ruling"] == "unsure", "it may be two turns in one"
    assert asked["ask"]["field"] not in said
