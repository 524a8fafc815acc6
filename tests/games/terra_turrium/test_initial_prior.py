"""What the eyes may expect where no position is known: only what is said, and nothing that isn't."""

from __future__ import annotations

import pytest

from referee.games.contract import RequestError
from referee.games.terra_turrium.colours import Colour
from referee.games.terra_turrium.engine import GAME
from referee.games.terra_turrium.geometry import NAMES, RING
from tests.games.terra_turrium.positions import SEATS

EVERYBODY = frozenset(Colour)
THREE = frozenset({Colour.RED, Colour.YELLOW, Colour.GREEN})
BOARD = (10, 10)


@pytest.mark.parametrize(
    ("said", "colours", "rings_out"),
    [
        ({}, EVERYBODY, 0),
        ({"players": 4}, EVERYBODY, 0),
        ({"players": 3}, EVERYBODY, 1),
        # Two players: the German board is larger, so only its outer ring is out of play for certain.
        ({"players": 2}, EVERYBODY, 1),
        ({"players": 2, "edition": "kosmos-1990"}, EVERYBODY, 1),
        ({"players": 2, "edition": "ludibay-fr"}, EVERYBODY, 2),
        ({"edition": "ludibay-fr"}, EVERYBODY, 0),
        ({"seats": SEATS[3]}, THREE, 1),
        ({"seats": SEATS[2], "edition": "ludibay-fr"}, frozenset({Colour.RED, Colour.BLUE}), 2),
        ({"seats": SEATS[4], "players": 4}, EVERYBODY, 0),
    ],
)
def test_what_is_said_is_expected(said: dict[str, object], colours: frozenset[Colour], rings_out: int) -> None:
    expected = GAME.initial_prior(said, BOARD)
    assert expected.colours == colours
    assert expected.flags_each == 6
    outside = {name for name, ring in zip(NAMES, RING, strict=True) if ring < rings_out}
    assert {field.name for field in expected.outside} == outside
    assert expected.previous is None
    assert GAME.initial_prior(said, (10, 9)).outside == frozenset()
    assert GAME.initial_prior(said, (9, 10)).colours == colours


@pytest.mark.parametrize(
    ("said", "code", "message"),
    [
        ({"players": 5}, "players", "players is 5: use 2, 3 or 4"),
        ({"players": 1}, "players", "players is 1: use 2, 3 or 4"),
        ({"players": True}, "players", "players is true: use 2, 3 or 4"),
        ({"players": "3"}, "players", "players is '3': use 2, 3 or 4"),
        ({"players": [3]}, "players", "players is a list: use 2, 3 or 4"),
        (
            {"players": 4, "seats": SEATS[3]},
            "players",
            "players is 4, but seats names 3 colours: correct one of them",
        ),
        ({"edition": "chess"}, "edition", "edition is 'chess': use one of kosmos-1990, ludibay-fr"),
        (
            {"seats": "red"},
            "seats",
            "seats is an object with the keys nw, ne, se, sw: give all four",
        ),
    ],
)
def test_impossible_requests_are_refused(said: dict[str, object], code: str, message: str) -> None:
    with pytest.raises(RequestError) as caught:
        GAME.initial_prior(said, BOARD)
    assert (caught.value.code, str(caught.value)) == (code, message)
