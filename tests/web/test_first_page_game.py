"""A whole game by photographs from the first page on: one command, plain HTTP, nothing printed, a real browser."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import cv2
import numpy as np
import pytest
from playwright.sync_api import expect

from referee.opponents import Strength
from tests.shared import TABLES
from tests.web.barewalk import SIDES_DEG, BareWalk, photograph, straighten
from tests.web.browser import long_game
from tests.web.firstpage import Corners, Played, judged_again, visited
from tests.web.framedwalk import MatWalk, TowerWalk

pytestmark = long_game
TURNS = 10
MOST_TOUCHES = 15
BOX = "wooden cubes of 20 mm with little banners"
BARS = "wooden bars of 18 x 18 x 36 mm on a felt base"
MAT = "cameras see the mat with dice"
CASTLES = "wooden cubes of 25 mm with a hole in each side"
TERRACE = TABLES / "terrace"


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REFEREE_DATA_FOLDER", str(tmp_path / "data"))
    straighten(monkeypatch)


def test_from_the_first_page_to_the_end_by_photographs() -> None:
    played, walk = Played(TURNS, seed=3), BareWalk()
    another, castles = BareWalk(game="torres"), Played(0, seed=1, game="torres").boards[0]
    with visited() as visitor:
        phone = visitor.lay(BOX, "Photograph the bare board")
        phone.set_up(walk, played.boards[0])
        assert visitor.touches <= MOST_TOUCHES
        expect(visitor.page.locator("#headline")).to_have_text("The set-up is right")

        for turn, board in enumerate(played.boards[1:], start=1):
            if turn == 3:
                phone.breach(walk, played, turn)
            phone.press("ended")
            phone.until("reading", turn)
            if turn == 2:
                first = walk.picture(board, SIDES_DEG[0])
                assert "not in the picture" in phone.take(photograph(np.full_like(first, 150)))
                assert "edge can’t be made out" in phone.take(another.photograph(castles, SIDES_DEG[0]))
                assert "at an angle" in phone.take(photograph(walk.picture(board, SIDES_DEG[0], 89.5)))
                phone.take(photograph(first))
                assert "This side is done" in phone.take(photograph(first, 5))
            if turn == 5:
                phone.take(walk.photograph(board, SIDES_DEG[0]))
                phone.open_anew()
            phone.legal(walk, board, turn, first=int(turn in (2, 5)))

        visitor.end_game(phone, TURNS + 1)


def test_castles_from_the_first_page_to_the_end_by_photographs(tmp_path: Path) -> None:
    """Points are declared on the phone's page of the game; where nothing is declared, its camera's page does.

    What is kept of the pictures is enough to judge the game again.
    """
    turns = 8
    played, walk = Played(turns, seed=1, game="torres", strength=Strength.MIDDLE), BareWalk(game="torres")
    with visited() as visitor:
        phone = visitor.lay(CASTLES, "Photograph the bare board")
        phone.set_up(walk, played.boards[0])
        assert visitor.touches <= MOST_TOUCHES
        for turn, board in enumerate(played.boards[1:], start=1):
            if turn == 7:
                phone.breach(walk, played, turn)
            declared = played.declared[turn - 1]
            if declared:
                phone.declare(**declared)
            else:
                phone.press("ended")
            phone.until("reading", turn)
            phone.legal(walk, board, turn)
        visitor.end_game(phone, turns + 1)
    again = judged_again(tmp_path / "data")
    assert [then for then, _ in again].count("illegal") == 1
    assert all(then == now for then, now in again), again


def corners_of(frame: Mapping[str, Any], number: int, lens: Mapping[str, Any]) -> Corners:
    """Return where a picture of ``terrace`` shows the board's corners, as shares of it, by the fields there."""
    pose, half, (width, height) = frame["camera_poses"][number], 134.0, lens["size"]
    at = np.array([[-half, half, 0.0], [half, half, 0.0], [half, -half, 0.0], [-half, -half, 0.0]])
    matrix = np.array(lens["matrix"])
    if frame["upright"][number]:
        matrix[0, 2], matrix[1, 2], width, height = height / 2, width / 2, height, width
    turn = cv2.Rodrigues(np.array(pose["rotation"]))[0]
    seen = cv2.projectPoints(at, turn, np.array(pose["translation"]), matrix, None)[0].reshape(-1, 2)
    shares = seen / (width, height)
    return {field: (float(x), float(y)) for field, (x, y) in zip(("A10", "J10", "J1", "A1"), shares, strict=True)}


@pytest.mark.skipif(not TERRACE.is_dir(), reason="needs the table terrace in REFEREE_SHARED")
def test_a_table_that_was_photographed_is_set_up_and_ruled_on() -> None:
    """Other seats, another player who begins, and a checked cloth; three turns, all legal.

    Nobody says how large the board is: it is 268 mm wide, and the box's 284.
    """
    truth = json.loads((TERRACE / "truth.json").read_text(encoding="utf-8"))
    game, (lens,) = truth["games"][0], truth["lenses"]
    with visited() as visitor:
        visitor.touch(visitor.page, BOX)
        visitor.touch(visitor.page, "Photograph the bare board")
        visitor.touch(visitor.page, "Other players or edition")
        for key in ("colour-0-blue", "first-yellow", "start"):
            visitor.page.click(f"[data-key={key}]")
            visitor.touches += 1
        expect(visitor.page.locator("[data-key=bring]")).to_be_visible()
        phone = visitor.let_in()
        for turn, frame in enumerate(game["frames"]):
            if turn:
                phone.press("ended")
                phone.until("reading", turn)
            for number, name in enumerate(frame["files"]):
                if phone.phase != ("playing", turn + 1):
                    content = (TERRACE / game["name"] / name).read_bytes()
                    phone.take(content, corners_of(frame, number, lens))
            phone.until("playing", turn + 1)
            assert turn or visitor.touches <= MOST_TOUCHES


def test_a_tower_from_the_first_page_to_the_end_by_photographs() -> None:
    """The board that carries the tower bears the printed squares; nobody turns it, for the phone goes around it."""
    turns = 4
    played, walk = Played(turns, seed=1, game="turris"), TowerWalk()
    with visited() as visitor:
        phone = visitor.lay(BARS, "The frame lies around the board")
        phone.set_up(walk, played.boards[0])
        assert visitor.touches <= MOST_TOUCHES
        for turn, board in enumerate(played.boards[1:], start=1):
            phone.press("ended")
            phone.until("reading", turn)
            phone.legal(walk, board, turn)
        visitor.end_game(phone, turns + 1)


def test_a_mat_from_the_first_page_to_the_end_by_photographs() -> None:
    """Players tell the page what they do, and photograph the dice: another throw than was told is asked about."""
    walk = MatWalk()
    with visited() as visitor:
        phone = visitor.lay(MAT, "The frame lies around the board")
        mat = visitor.page.context.new_page()
        mat.goto(urljoin(visitor.page.url, "/mat"))
        expect(mat.locator(".mat-how")).to_contain_text("No picture of the mat yet")
        phone.take(walk.photograph("", -90.0))
        expect(mat.locator(".mat-image")).to_be_visible()
        mat.click("[data-key=empty]")
        expect(mat.locator("[data-key=empty]")).to_have_text("Picture the empty mat anew")
        phone.press("begin")
        phone.until("playing", 1)
        assert visitor.touches <= MOST_TOUCHES
        for turn, (told, lying) in enumerate((("1+2", "1+2"), ("1+2", "3+5")), start=1):
            phone.tell(f"option-roll {told}", "option-draw economic", "option-install artisans")
            phone.take(walk.photograph(lying, -90.0, turn))
            if lying != told:
                phone.until("unsure", turn)
                expect(phone.page.locator("#hand-detail")).to_contain_text(
                    "The dice show 5 and 3, but 1 and 2 were declared"
                )
                phone.take(walk.photograph(told, -90.0, turn))
            phone.until("playing", turn + 1)
        visitor.end_game(phone, 3)
