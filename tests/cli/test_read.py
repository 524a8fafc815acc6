from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration.table import TableSetup, parse_table
from referee.cli import main
from referee.games import game_named
from referee.games.contract import RequestError
from referee.kinds.grid.requests import _sighting
from referee.values.belief import BoardBelief, Prior
from tests.scene import SEATS, Scene, draw, pose, table, table_json, write_table
from tests.vision.beliefs import belief
from vision.heights.change import Look
from vision.heights.pieces import Pieces

SCENE = Scene(heights={(2, 3): 2, (4, 1): 3}, flags={(4, 1): "red"}, stones={"nw": 1, "ne": 2, "se": 3, "sw": 4})
GAME = game_named("terra-turrium")
TEXT = "000000/03r0000/000000/000200/000000/000000"


@pytest.fixture(autouse=True)
def _known_scorer(monkeypatch: pytest.MonkeyPatch) -> None:
    def score(
        look: Look, _table: TableSetup, _expect: Prior | None, _pieces: Pieces, _compared: frozenset[str]
    ) -> dict[str, BoardBelief]:
        return dict.fromkeys(look, belief(SCENE))

    monkeypatch.setattr("vision.reader.score_views", score)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = write_table(tmp_path_factory.mktemp("read") / "table")
    cv2.imwrite(str(place / "left.png"), draw(SCENE, pose(-85)))
    cv2.imwrite(str(place / "hand.png"), draw(SCENE.with_(arm=(120, 150, 200)), pose(-85)))
    cv2.imwrite(str(place / "right.png"), draw(SCENE, pose(20)))
    cv2.imwrite(str(place / "blank.png"), np.full((720, 960, 3), 128, np.uint8))
    cv2.imwrite(str(place / "small.png"), np.zeros((72, 96, 3), np.uint8))
    (place / "empty.png").touch()
    (place / "cut.png").write_bytes((place / "left.png").read_bytes()[:-2000])
    (place / "text.png").write_text("no picture")
    return place


def run(folder: Path, *lines: object) -> tuple[int, list[dict[str, Any]]]:
    file = folder / "requests.jsonl"
    file.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    result = CliRunner().invoke(main, ["read", "--table", str(folder), str(file)])
    return result.exit_code, [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.long
def test_explain_draws_what_was_read(folder: Path, tmp_path: Path) -> None:
    """One picture a request, with both cameras side by side; a field under doubt is drawn unlike a plain one."""
    file = folder / "requests.jsonl"
    both, one = {"left": "left.png", "right": "right.png"}, {"left": "left.png"}
    file.write_text("".join(json.dumps({"images": images}) + "\n" for images in (both, one)))
    out = tmp_path / "seen.png"
    result = CliRunner().invoke(main, ["read", "--table", str(folder), "--explain", str(out), str(file)])
    assert result.exit_code == 0, result.output
    first, second = (cv2.imread(str(tmp_path / name)) for name in ("seen.png", "seen-2.png"))
    assert first is not None
    assert second is not None
    assert first.shape[1] > 1.5 * second.shape[1]
    blue = (second[..., 0] > 180) & (second[..., 2] < 60)
    assert blue.mean() > 0.01  # the outlines of fields read for sure


@pytest.mark.parametrize(("name", "said"), [("seen.jpg", "ends in .png"), ("nowhere/seen.png", "can't be written")])
def test_where_an_explanation_can_not_go_is_said(folder: Path, tmp_path: Path, name: str, said: str) -> None:
    file = folder / "requests.jsonl"
    file.write_text(json.dumps({"images": {"left": "left.png"}}) + "\n")
    result = CliRunner().invoke(main, ["read", "--table", str(folder), "--explain", str(tmp_path / name), str(file)])
    assert result.exit_code == 2
    assert said in result.output
    assert "Traceback" not in result.output


def test_an_answer_is_as_the_formats_say(folder: Path) -> None:
    request = {"id": 3, "images": {"left": "left.png", "right": "right.png"}, "seats": SEATS}
    status, (answer,) = run(folder, request)
    assert status == 0
    assert list(answer) == ["id", "board", "confidence", "aggressor", "clear", "blocked", "cameras", "ms"]
    assert answer["id"] == 3
    assert answer["board"] == TEXT
    assert np.shape(answer["confidence"]) == (6, 6)
    assert answer["aggressor"] == SCENE.stones
    assert answer["clear"] is True
    assert answer["blocked"] == []
    assert set(answer["cameras"]["left"]) == {"markers", "reprojection_px"}
    assert answer["cameras"]["right"]["markers"] == 8


def test_a_hand_is_reported(folder: Path) -> None:
    status, (answer,) = run(folder, {"id": 1, "images": {"left": "hand.png"}})
    assert status == 0
    assert answer["clear"] is False
    assert answer["blocked"]


def test_one_camera_may_lose_the_frame(folder: Path) -> None:
    status, (answer,) = run(folder, {"images": {"left": "left.png", "right": "blank.png"}})
    assert status == 0
    assert answer["cameras"]["right"]["reprojection_px"] is None
    assert "right can’t see the frame" in answer["cameras"]["right"]["problem"]


def test_several_pictures_by_one_camera_are_one_look(folder: Path) -> None:
    """Between them the camera was moved; what can't be read is told in its place, and the others tell the board."""
    walk = ["left.png", "blank.png", "nowhere.png", "right.png"]
    status, (answer,) = run(folder, {"images": {"left": walk, "right": "right.png"}, "seats": SEATS})
    assert status == 0
    assert answer["board"] == TEXT
    assert answer["clear"] is True
    seen = answer["cameras"]["left"]
    assert [view["markers"] for view in seen] == [8, 0, 0, 8]
    assert ["problem" in view for view in seen] == [False, True, True, False]
    assert "left#2 can’t see the frame" in seen[1]["problem"]
    assert seen[2]["problem"] == "left: there is no picture 'nowhere.png': correct its path"
    assert answer["cameras"]["right"]["markers"] == 8


@pytest.mark.parametrize(
    ("request_", "code", "says"),
    [
        ("no json", "json", ""),
        ([1], "json", "object"),
        ({}, "images", "at least one picture"),
        ({"images": {}}, "images", "at least one picture"),
        ({"images": ["left.png"]}, "images", ""),
        ({"images": {"left": 3}}, "images", "left"),
        ({"images": {"left": "a\0b"}}, "images", "left"),
        ({"images": {"top": "left.png"}}, "camera", "use left, right"),
        ({"images": {"left": "none.png"}}, "picture", "there is no picture 'none.png'"),
        ({"images": {"left": "."}}, "picture", "directory"),
        ({"images": {"left": "x" * 300}}, "picture", "name too long"),
        ({"images": {"left": "\ud800.png"}}, "picture", "cannot be read"),
        ({"images": {"left": "empty.png"}}, "picture", "cut short"),
        ({"images": {"left": "cut.png"}}, "picture", "cut short"),
        ({"images": {"left": "left.png", "right": "none.png"}}, "picture", "right: there is no picture"),
        ({"images": {"left": "text.png"}}, "picture", "cannot be read"),
        ({"images": {"left": "small.png"}}, "calibration", "96 x 72"),
        ({"images": {"left": "blank.png"}}, "frame-not-seen", "left can’t see the frame"),
        ({"images": {"left": "left.png"}, "pictures": 1}, "request", "unknown key 'pictures'"),
        ({"images": {"left": "left.png"}, "seats": {"nw": "red"}}, "seats", "nw, ne, se, sw"),
        ({"images": {"left": "left.png"}, "seats": SEATS | {"nw": "pink"}}, "seats", "pink"),
        ({"images": {"left": "left.png"}, "seats": SEATS | {"nw": "blue"}}, "seats", "four colours"),
        ({"images": {"left": "left.png"}, "players": 5}, "players", "2, 3 or 4"),
        ({"images": {"left": "left.png"}, "players": True}, "players", "2, 3 or 4"),
        ({"images": {"left": "left.png"}, "seats": SEATS, "players": 2}, "players", "seats names 4"),
        ({"images": {"left": "left.png"}, "edition": "mine"}, "edition", "kosmos-1990"),
        ({"images": {"left": "left.png"}, "edition": []}, "edition", "kosmos-1990"),
        ({"images": {"left": "left.png"}, "previous": "0/0"}, "board", "previous"),
        ({"images": {"left": "left.png"}, "previous": 7}, "board", "previous"),
    ],
)
def test_a_bad_line_is_answered_and_the_run_goes_on(folder: Path, request_: object, code: str, says: str) -> None:
    line = {"id": "bad", **request_} if isinstance(request_, dict) else request_
    status, answers = run(folder, line, {"id": "good", "images": {"left": "left.png"}})
    assert status == 2
    assert answers[0]["error"]["code"] == code
    assert says in answers[0]["error"]["message"]
    assert answers[0]["id"] == ("bad" if isinstance(request_, dict) else None)
    assert answers[1]["board"] == TEXT


def test_paths_are_relative_to_the_file_that_names_them(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder.parent)
    line = json.dumps({"images": {"left": "table/left.png"}}) + "\n"
    result = CliRunner().invoke(main, ["read", "--table", "table"], input=line)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["board"] == TEXT
    assert run(folder, {"images": {"left": str(folder / "left.png")}})[0] == 0


@pytest.mark.parametrize("spoil", ["nowhere", "no table.json", "bad table.json", "no calibration", "another game"])
def test_a_table_that_cannot_be_used(tmp_path: Path, spoil: str) -> None:
    place = tmp_path / "table"
    if spoil != "nowhere":
        place.mkdir()
    if spoil == "bad table.json":
        (place / "table.json").write_text("{}")
    if spoil == "no calibration":
        (place / "table.json").write_text(json.dumps(table_json()))
    if spoil == "another game":
        write_table(place)
        (place / "table.json").write_text(json.dumps(table_json() | {"game": "chess"}))
    result = CliRunner().invoke(main, ["read", "--table", str(place)], input="{}\n")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("referee read: ")
    assert result.stderr.count("\n") == 1


def test_what_a_request_lets_one_expect() -> None:
    known = table()
    assert _sighting(GAME, {}, known) is None
    expect = _sighting(GAME, {"previous": TEXT, "edition": "ludibay-fr"}, known)
    assert expect is not None
    assert expect.previous is not None
    assert expect.previous.text == TEXT
    with pytest.raises(RequestError):
        _sighting(GAME, {"players": "4"}, known)


@pytest.mark.parametrize(
    ("edition", "players", "fields"),
    [(None, 4, 0), (None, 3, 36), (None, 2, 36), ("kosmos-1990", 2, 36), ("ludibay-fr", 2, 64), ("ludibay-fr", 4, 0)],
)
def test_with_fewer_players_the_rim_is_out_of_play(edition: str | None, players: int, fields: int) -> None:
    data = table_json() | {"columns": 10, "rows": 10, "pitch": [18, 18], "cube": [16, 16, 16]}
    expect = _sighting(GAME, {"players": players, "edition": edition}, parse_table(json.dumps(data)))
    assert expect is not None
    assert len(expect.outside) == fields
