"""The position a game is set up from, as far as it is said and seen."""

from __future__ import annotations

from typing import Any

import pytest

from referee.games.contract import RequestError
from referee.games.terra_turrium.colours import LETTERS, parse_board
from referee.games.terra_turrium.engine import GAME
from referee.values.board import Board
from tests.games.terra_turrium.positions import position


@pytest.mark.parametrize(("edition", "players"), [(e, n) for e in ("kosmos-1990", "ludibay-fr") for n in (2, 3, 4)])
def test_seats_are_seen_by_the_flags(edition: str, players: int) -> None:
    start = GAME.position(position(edition, players))
    opening = GAME.infer_setup({"edition": edition}, start.board)
    assert opening.to_json()["seats"] == start.to_json()["seats"]
    assert (opening.board.heights == start.board.heights).all()
    assert not opening.board.flags.any()
    assert GAME.setup_differences(opening, start.board) == ()


def test_what_is_said_comes_first() -> None:
    start = GAME.position(position())
    turned = {"nw": "yellow", "ne": "green", "se": "blue", "sw": "red"}
    opening = GAME.infer_setup({"seats": turned}, start.board)
    assert opening.to_json()["seats"] == turned
    assert GAME.setup_differences(opening, start.board) != ()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ({"seats": {"nw": "red"}}, "seats"),
        ({"edition": "klein"}, "edition"),
        ({"variants": ["klein"]}, "variants"),
        ({"players": 4}, "players says nothing"),
    ],
)
def test_impossible_openings_are_refused(said: dict[str, Any], told: str) -> None:
    with pytest.raises(RequestError, match=told):
        GAME.infer_setup(said, GAME.position(position()).board)


def test_flags_that_show_no_seats() -> None:
    bare = parse_board("/".join(["1" * 10] * 10))
    with pytest.raises(RequestError, match="do not show who sits where"):
        GAME.infer_setup({}, bare)
    with pytest.raises(RequestError, match="ten rows"):
        GAME.infer_setup({}, Board.parse("11/11", 2, 2, LETTERS))
